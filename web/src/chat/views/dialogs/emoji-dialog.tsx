import { Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { EMOJI_NAME_PATTERN, MAX_EMOJI_NAME } from '../../../../../contract/custom-emoji.ts'
import { LIMITS } from '../../../../../contract/limits.ts'
import { isAdminRole } from '../../../../../contract/operation.ts'
import type { listCustomEmoji, removeCustomEmoji } from '../../../../../contract/people/emoji.ts'
import { chatPath } from '../../../api/chat.ts'
import { Button, FileButton, IconButton } from '../../../kit/button.tsx'
import { Dialog, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Beside, Field, TextInput } from '../../../kit/field.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { emojiTexts } from '../../../texts/emoji.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { EmojiText } from '../conversation/emoji/custom.tsx'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { sendPicture } from '../profile/picture-field.tsx'
import styles from './emoji-dialog.module.css'

const NAME = new RegExp(EMOJI_NAME_PATTERN)

/** The organization's own emoji: everybody adds them; their creators, and admins, remove them. */
export default function EmojiDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(emojiTexts)
  const organizationId = useChat((state) => state.organizationId)
  const { busy, failure, submit } = useSubmit()
  const [name, setName] = useState('')
  const [picture, setPicture] = useState<File>()
  const [isTried, setTried] = useState(false)
  const isTooLarge = picture !== undefined && picture.size > LIMITS.customEmojiBytes
  const pictureMistake = isTooLarge ? t.tooLarge : isTried && !picture ? t.pictureMissing : undefined
  const add = async () => {
    setTried(true)
    if (!NAME.test(name) || !picture || isTooLarge) return
    if (!(await submit(() => sendPicture(chatPath(organizationId, '/emoji'), picture, { name })))) return
    showToast({ text: t.added(name) })
    setName('')
    setPicture(undefined)
    setTried(false)
  }
  return (
    <Dialog title={t.title} onClose={onClose} busy={busy}>
      <DialogBody>
        <p>{t.about}</p>
        <DialogForm onSubmit={() => void add()}>
          <div className={styles.fields}>
            <Field
              label={t.name}
              hint={t.nameHint}
              mistake={failure ?? (isTried && !NAME.test(name) ? t.nameMistake : undefined)}
              required
            >
              {(wiring) => (
                <TextInput
                  {...wiring}
                  value={name}
                  placeholder={t.namePlaceholder}
                  maxLength={MAX_EMOJI_NAME}
                  autoCapitalize="none"
                  autoComplete="off"
                  spellCheck={false}
                  onChange={({ target }) => setName(target.value.toLowerCase().replaceAll(' ', '_'))}
                />
              )}
            </Field>
            <div>
              <Beside>
                <FileButton
                  accept="image/png,image/jpeg,image/gif,image/webp"
                  busy={busy}
                  onChosen={(file) => setPicture(file)}
                >
                  {t.choose}
                </FileButton>
                <Button look="primary" submit busy={busy}>
                  {t.add}
                </Button>
              </Beside>
              <p className={pictureMistake ? styles.mistake : styles.hint} role={pictureMistake && 'alert'}>
                {pictureMistake ?? (picture ? t.chosen(picture.name) : t.pictureHint)}
              </p>
            </div>
          </div>
        </DialogForm>
        <EmojiList />
      </DialogBody>
    </Dialog>
  )
}

/** The organization's emoji, with who added them: only they and admins can remove one. */
function EmojiList() {
  const t = useTexts(emojiTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const members = useChat((state) => state.members)
  const pictures = useChat((state) => state.emoji)
  const [owners, setOwners] = useState<ReadonlyMap<string, string>>(new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again with each that comes or goes
  useEffect(() => {
    void api<typeof listCustomEmoji>('GET', '/emoji', {}).then(
      ({ emoji }) => setOwners(new Map(emoji.map((one) => [one.name, one.createdBy ?? '']))),
      () => {}, // the names alone, then
    )
  }, [api, pictures])
  const remove = async (name: string) => {
    const removal = () =>
      api<typeof removeCustomEmoji>('DELETE', '/emoji/{emojiName}', { params: { emojiName: name } })
    if (await attempt(removal)) showToast({ text: t.removed(name) })
  }
  const names = [...pictures.keys()].sort()
  if (names.length === 0) return <p className={styles.empty}>{t.empty}</p>
  return (
    <ul className={styles.list}>
      {names.map((name) => {
        const owner = owners.get(name)
        return (
          <li key={name} className={styles.item}>
            <span className={styles.picture}>
              <EmojiText text={`:${name}:`} />
            </span>
            <span className={styles.name}>:{name}:</span>
            <bdi className={styles.owner}>{members.get(owner ?? '')?.name}</bdi>
            {(owner === me?.id || isAdminRole(me?.role)) && (
              <IconButton
                label={t.remove(name)}
                icon={Trash2}
                size="small"
                onClick={() => void remove(name)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
