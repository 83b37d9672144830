import { Bookmark, Forward, Trash, X } from 'lucide-react'
import { lazy, Suspense, useContext, useState } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { Button, IconButton } from '../../../../kit/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../../kit/dialog.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { kit } from '../../../../texts/kit.ts'
import { selectionTexts } from '../../../../texts/selection.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { failureOf, useFailureText } from '../failure.ts'
import { mayDelete, mayForward } from '../message/actions.ts'
import { useSnapshot } from '../snapshot.ts'
import styles from './selection.module.css'
import { MAX_SELECTED, SelectionContext, useSelection } from './selection.ts'

const ForwardDialog = lazy(async () => ({
  default: (await import('../../forward/dialogs.ts')).ForwardDialog,
}))

/** What can be done with the selected messages, between the list and the composer. */
export default function SelectionBar() {
  const t = useTexts(selectionTexts)
  const m = useTexts(messageTexts)
  const k = useTexts(kit)
  const selection = useContext(SelectionContext)
  const ids = useSelection()
  const known = useChat((state) => state.messages)
  const snapshot = useSnapshot()
  const actions = useChatActions()
  const failureText = useFailureText()
  const [open, setOpen] = useState<'forward' | 'delete'>()
  const [isBusy, setBusy] = useState(false)
  if (!ids) return null
  const messages = [...ids]
    .flatMap((id) => known.get(id) ?? [])
    .sort((one, other) => one.createdAt - other.createdAt)
  const own = messages.filter((message) => mayDelete(message, snapshot()))

  const end = () => {
    const row = document.querySelector<HTMLElement>(`[data-row="${messages.at(-1)?.id}"]`)
    selection.end()
    row?.focus()
  }
  /** Works on one message after the other. At the first refusal it stops, and says how far it came and why. */
  const each = async (all: readonly Message[], work: (message: Message) => Promise<unknown>) => {
    let done = 0
    try {
      for (const message of all) {
        await work(message)
        done += 1
      }
      return true
    } catch (error) {
      const why = failureText(failureOf(error))
      showToast({ text: done === 0 ? why : t.stopped(done, all.length, why), tone: 'bad' })
      return false
    }
  }
  const save = async () => {
    setBusy(true)
    const added: Message[] = []
    const isDone = await each(messages, async (message) => {
      if ((await actions.save(message.id)).isNew) added.push(message)
    })
    setBusy(false)
    if (!isDone) return
    const undo = () => void each(added, ({ id }) => actions.unsave(id))
    showToast({
      text: t.saved(messages.length),
      ...(added.length > 0 && { action: { label: k.undo, onAct: undo } }),
    })
    end()
  }
  const remove = async () => {
    setBusy(true)
    const isDone = await each(own, ({ id }) => actions.deleteMessage(id))
    setBusy(false)
    setOpen(undefined)
    if (!isDone) return
    showToast({ text: t.deleted(own.length) })
    end()
  }
  const mayForwardAll = messages.length > 0 && messages.every(mayForward)
  return (
    <div
      className={styles.bar}
      role="toolbar"
      aria-label={t.bar}
      onKeyDown={(event) => event.key === 'Escape' && !open && end()}
    >
      <IconButton label={t.end} keys="Esc" icon={X} size="small" onClick={end} />
      <span className={styles.count} role="status">
        {selection.wasRefused ? t.most(MAX_SELECTED) : t.count(messages.length)}
      </span>
      <Button icon={Forward} size="small" disabled={!mayForwardAll} onClick={() => setOpen('forward')}>
        {m.forward}
      </Button>
      <Button icon={Bookmark} size="small" busy={isBusy} onClick={() => void save()}>
        {m.keep}
      </Button>
      {own.length > 0 && (
        <Button icon={Trash} size="small" look="danger" onClick={() => setOpen('delete')}>
          {m.remove}
        </Button>
      )}
      <Suspense>
        {open === 'forward' && (
          <ForwardDialog messages={messages} onClose={() => setOpen(undefined)} onDone={end} />
        )}
        {open === 'delete' && (
          <Dialog
            title={t.deleteTitle(own.length)}
            onClose={() => setOpen(undefined)}
            busy={isBusy}
            size="small"
          >
            <DialogBody>
              <p>{t.deleteAbout}</p>
              {own.length < messages.length && <p>{t.othersStay(messages.length - own.length)}</p>}
            </DialogBody>
            <DialogActions action={m.remove} look="danger" keep={m.deleteKeep} onAct={() => void remove()} />
          </Dialog>
        )}
      </Suspense>
    </div>
  )
}
