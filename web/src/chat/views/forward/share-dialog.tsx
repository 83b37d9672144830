import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Session } from '../../../../../contract/people/session.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { shareTexts } from '../../../texts/share.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { organizationPath, topicPath } from '../addresses.ts'
import { FileList } from '../conversation/composer/files.tsx'
import { handToComposer } from '../conversation/composer/handed.ts'
import styles from '../dialogs/dialogs.module.css'
import { useSubmit } from '../frame/attempt.ts'
import { type Place, placeMark, usePlaces } from './places.tsx'
import { forgetShared, readShared, type Shared } from './shared.ts'

const SAID_LENGTH = 240

/** Asks where to send what another app has shared; there it waits in the composer. */
export default function ShareDialog({ session }: { session: Session }) {
  const [shared, setShared] = useState<Shared>()
  const [, setParams] = useSearchParams()
  const isReady = useChat(({ status }) => status === 'ready')
  const t = useTexts(shareTexts)
  const close = () => setParams({}, { replace: true })
  const missing = () => {
    showToast({ text: t.lost, tone: 'bad' })
    close()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it opens
  useEffect(() => {
    readShared().then((found) => (found ? setShared(found) : missing()), missing)
  }, [])
  if (!shared || !isReady) return null
  return (
    <Chooser
      session={session}
      shared={shared}
      onChange={setShared}
      onClose={() => {
        forgetShared()
        close()
      }}
    />
  )
}

function Chooser({
  session,
  shared,
  onChange,
  onClose,
}: {
  session: Session
  shared: Shared
  onChange: (shared: Shared) => void
  onClose: () => void
}) {
  const t = useTexts(shareTexts)
  const [, navigate] = useLocation()
  const { openDirectMessage } = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const organizationId = useChat((state) => state.organizationId)
  const offered = usePlaces()
  const [chosen, setChosen] = useState<Place[]>([])
  const [place] = chosen
  const { text, files } = shared
  const organizations = (session.account?.memberships ?? []).filter(({ needs }) => needs === undefined)
  const hand = async () => {
    if (!place) return
    await submit(async () => {
      const topicId = 'topic' in place ? place.topic.id : (await openDirectMessage([place.id])).id
      handToComposer({ topicId, text, files })
      forgetShared()
      navigate(topicPath(topicId), { replace: true })
    })
  }
  return (
    <Dialog title={t.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void hand()}>
        <DialogBody>
          {text !== '' && (
            <p className={styles.text} dir="auto">
              <q>{text.slice(0, SAID_LENGTH)}</q>
            </p>
          )}
          {files.length > 0 && (
            <FileList
              files={files.map((file) => ({ name: file.name, size: file.size, type: file.type, blob: file }))}
              onRemove={(index) => onChange({ text, files: files.filter((_, each) => each !== index) })}
            />
          )}
          {organizations.length > 1 && (
            <SelectField
              label={t.organization}
              options={organizations.map((one) => [one.organizationId, one.organizationName])}
              value={organizationId}
              onChange={(other) => navigate(`${organizationPath(other)}?shared`, { replace: true })}
            />
          )}
          <Combobox
            label={t.to}
            placeholder={t.placeholder}
            hint={t.hint}
            {...offered}
            chosen={chosen}
            onChange={setChosen}
            max={1}
            autoFocus
            mark={placeMark}
          />
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        </DialogBody>
        <DialogActions action={t.act} disabled={place === undefined} />
      </DialogForm>
    </Dialog>
  )
}
