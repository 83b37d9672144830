import {
  AlarmClock,
  Bookmark,
  CircleCheck,
  Copy,
  Flag,
  Forward,
  Link,
  ListChecks,
  MailOpen,
  MessageSquareText,
  Pencil,
  Pin,
  PinOff,
  SmilePlus,
  TextQuote,
  Trash,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { type MenuEntry, MenuPopup } from '../../../../kit/menu.tsx'
import { PopoverPopup } from '../../../../kit/popover.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { useIsPhone } from '../../../../kit/touch.ts'
import { messageTexts } from '../../../../texts/chat-message.ts'
import { kit } from '../../../../texts/kit.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { Outgoing } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { permalinkOf } from '../../addresses.ts'
import { useShell } from '../../seam.ts'
import { frequentEmoji } from '../emoji/frequent.ts'
import { failureOf, useFailureText } from '../failure.ts'
import { type MessageTools, MessageToolsContext, mayDelete, mayEdit, mayForward } from '../message/actions.ts'
import { useCopy } from '../message/copy.ts'
import { useSnapshot } from '../snapshot.ts'
import { Selection, SelectionContext } from './selection.ts'

const DeleteDialog = lazy(() => import('../message/delete-dialog.tsx'))
const ForwardDialog = lazy(async () => ({
  default: (await import('../../forward/dialogs.ts')).ForwardDialog,
}))
const ReportDialog = lazy(() => import('../message/report-dialog.tsx'))
const FileViewer = lazy(() => import('../files/viewer.tsx'))
const Remind = lazy(() => import('../../scheduling/remind.tsx'))
const SelectionBar = lazy(() => import('./selection-bar.tsx'))
const EmojiPicker = lazy(() => import('../emoji/picker.tsx'))

/** Emoji on the sheet of a phone. */
const QUICK_EMOJI = 6

type Point = { x: number; y: number }
type Open = { kind: 'menu' | 'picker' | 'remind'; message: Message; box: DOMRect }

/**
 * The place of a menu for as long as it is open. The button that was pressed goes away as soon as the pointer leaves its row: a
 * menu that followed it would jump into the corner of the page from under the pointer.
 */
const boxOf = (anchor: HTMLElement | Point): DOMRect =>
  anchor instanceof HTMLElement ? anchor.getBoundingClientRect() : new DOMRect(anchor.x, anchor.y, 1, 1)

/** The menu, the picker and the window for messages, one of each for a whole conversation. */
export function MessageToolsProvider({
  onEdit,
  onQuote,
  onEditOutgoing,
  children,
}: {
  onEdit: (messageId: string) => void
  onQuote?: ((message: Message) => void) | undefined
  onEditOutgoing: (outgoing: Outgoing) => void
  children: ReactNode
}) {
  const t = useTexts(messageTexts)
  const k = useTexts(kit)
  const me = useChat((state) => state.me?.id)
  const actions = useChatActions()
  const shell = useShell()
  const copy = useCopy()
  const failureText = useFailureText()
  const snapshot = useSnapshot()
  const isPhone = useIsPhone()
  const [open, setOpen] = useState<Open>()
  const [selection] = useState(() => new Selection())
  const isSelecting = useSyncExternalStore(selection.subscribe, () => selection.get() !== undefined)
  const [doomed, setDoomed] = useState<Message>()
  const [forwarded, setForwarded] = useState<Message>()
  const [reported, setReported] = useState<Message>()
  const [shown, setShown] = useState<{ message: Message; attachmentId: string }>()
  /** Pins are no part of a message: they are read when a menu opens in a topic that has some. */
  const [pinned, setPinned] = useState<ReadonlySet<string>>(new Set())
  const lastFocus = useRef<HTMLElement>(null)

  const tools = useMemo((): MessageTools => {
    const tried = (work: Promise<void>, done?: string, undo?: () => void) =>
      work.then(
        () =>
          done !== undefined &&
          showToast({ text: done, ...(undo && { action: { label: k.undo, onAct: undo } }) }),
        (error) => showToast({ text: failureText(failureOf(error)), tone: 'bad' }),
      )
    const show = (kind: Open['kind'], message: Message, anchor: HTMLElement | Point) => {
      const focused = document.activeElement
      lastFocus.current = focused instanceof HTMLElement ? focused : null
      setOpen({ kind, message, box: boxOf(anchor) })
    }
    return {
      react: (message, emoji, isOn) => void tried(actions.react(message.id, emoji, isOn)),
      openPicker: (message, anchor) => show('picker', message, anchor),
      openMenu: (message, anchor) => {
        show('menu', message, anchor)
        actions.readPins(message.topicId).then(
          (messages) => setPinned(new Set(messages.map(({ id }) => id))),
          () => {}, // the menu offers to pin it
        )
      },
      reply: (message) => shell.openThread(message.topicId, message.parentId ?? message.id),
      quote: onQuote,
      edit: (message) => onEdit(message.id),
      remove: setDoomed,
      pin: (message, isOn) =>
        void tried(
          actions.pin(message.id, isOn),
          isOn ? t.pinned : t.unpinned,
          () => void tried(actions.pin(message.id, !isOn)),
        ),
      save: (message) =>
        void actions.save(message.id).then(
          ({ isNew }) =>
            showToast({
              text: t.kept,
              ...(isNew && {
                action: { label: k.undo, onAct: () => void tried(actions.unsave(message.id)) },
              }),
            }),
          (error) => showToast({ text: failureText(failureOf(error)), tone: 'bad' }),
        ),
      select: ({ id }) => selection.toggle(id),
      remind: (message, anchor) => show('remind', message, anchor),
      markUnread: (message) => void tried(actions.markUnread(message.topicId, message.id)),
      copyLink: (message) => copy(permalinkOf(message.id), t.linkCopied),
      copyText: (message) => copy(message.text, t.textCopied),
      openFile: (message, attachmentId) => setShown({ message, attachmentId }),
      editOutgoing: onEditOutgoing,
    }
  }, [actions, shell, copy, failureText, onEdit, onQuote, onEditOutgoing, t, k, selection])

  const anchor = useMemo(() => ({ getBoundingClientRect: () => open?.box ?? new DOMRect() }), [open])
  const entriesOf = (message: Message): MenuEntry[] => {
    const isPinned = pinned.has(message.id)
    const mayWrite = snapshot().topics.get(message.topicId)?.mayWrite === true
    return [
      ...(isPhone
        ? [
            {
              kind: 'quick' as const,
              options: frequentEmoji()
                .slice(0, QUICK_EMOJI)
                .map((sign) => {
                  const isOn = message.reactions.some(
                    ({ emoji, userIds }) => emoji === sign && userIds?.includes(me ?? ''),
                  )
                  return {
                    sign,
                    label: t.reactWith(sign),
                    isOn,
                    onSelect: () => tools.react(message, sign, !isOn),
                  }
                }),
            },
          ]
        : []),
      { label: t.reply, icon: MessageSquareText, keys: 'T', onSelect: () => tools.reply(message) },
      ...(tools.quote && mayWrite
        ? [
            {
              label: t.quote,
              icon: TextQuote,
              keys: 'Q',
              // Waits until the menu has closed and returned the focus.
              onSelect: () => window.setTimeout(() => tools.quote?.(message)),
            },
          ]
        : []),
      {
        label: t.react,
        icon: SmilePlus,
        keys: 'R',
        // Waits until the menu has closed and returned the focus.
        onSelect: () => window.setTimeout(() => tools.openPicker(message, rowOf(message))),
      },
      ...(mayEdit(message, snapshot())
        ? [{ label: t.edit, icon: Pencil, keys: 'E', onSelect: () => tools.edit(message) }]
        : []),
      ...(mayWrite
        ? [
            {
              label: t.makeTask,
              icon: CircleCheck,
              onSelect: () => shell.make({ kind: 'task', place: { topicId: message.topicId }, message }),
            },
          ]
        : []),
      isPinned
        ? { label: t.unpin, icon: PinOff, onSelect: () => tools.pin(message, false) }
        : { label: t.pin, icon: Pin, onSelect: () => tools.pin(message, true) },
      ...(mayForward(message)
        ? [{ label: t.forward, icon: Forward, onSelect: () => setForwarded(message) }]
        : []),
      { label: t.keep, icon: Bookmark, onSelect: () => tools.save(message) },
      ...(message.isSystem
        ? []
        : [{ label: t.select, icon: ListChecks, keys: 'X', onSelect: () => tools.select(message) }]),
      {
        label: t.remind,
        icon: AlarmClock,
        // Waits until the menu has closed and returned the focus.
        onSelect: () => window.setTimeout(() => tools.remind(message, rowOf(message))),
      },
      { label: t.markUnread, icon: MailOpen, keys: 'U', onSelect: () => tools.markUnread(message) },
      { kind: 'line' },
      { label: t.copyLink, icon: Link, keys: 'C', onSelect: () => tools.copyLink(message) },
      ...(message.text !== ''
        ? [{ label: t.copyText, icon: Copy, onSelect: () => tools.copyText(message) }]
        : []),
      ...(message.senderId !== me && !message.isSystem
        ? [{ label: t.report, icon: Flag, onSelect: () => setReported(message) }]
        : []),
      ...(mayDelete(message, snapshot())
        ? [
            { kind: 'line' } as const,
            {
              label: t.remove,
              icon: Trash,
              keys: 'Del',
              danger: true,
              onSelect: () => tools.remove(message),
            },
          ]
        : []),
    ]
  }

  return (
    <MessageToolsContext value={tools}>
      <SelectionContext value={selection}>
        {children}
        <Suspense>{isSelecting && <SelectionBar />}</Suspense>
      </SelectionContext>
      <Suspense>
        {open?.kind === 'menu' && (
          <MenuPopup
            key={open.message.id}
            label={t.actions}
            anchor={anchor}
            open
            onOpenChange={(isOpen) => !isOpen && setOpen(undefined)}
            entries={() => entriesOf(open.message)}
            align="end"
            finalFocus={lastFocus}
          />
        )}
        {open?.kind === 'picker' && (
          <PopoverPopup
            key={open.message.id}
            label={t.react}
            anchor={anchor}
            open
            onOpenChange={(isOpen) => !isOpen && setOpen(undefined)}
            align="end"
            finalFocus={lastFocus}
          >
            <EmojiPicker
              onPick={(emoji) => {
                tools.react(open.message, emoji, true)
                setOpen(undefined)
              }}
            />
          </PopoverPopup>
        )}
        {open?.kind === 'remind' && (
          <Remind
            key={open.message.id}
            messageId={open.message.id}
            anchor={anchor}
            finalFocus={lastFocus}
            onClose={() => setOpen(undefined)}
          />
        )}
        {shown && <FileViewer {...shown} onClose={() => setShown(undefined)} />}
        {forwarded && <ForwardDialog messages={[forwarded]} onClose={() => setForwarded(undefined)} />}
        {reported && <ReportDialog message={reported} onClose={() => setReported(undefined)} />}
        {doomed && <DeleteDialog message={doomed} onClose={() => setDoomed(undefined)} />}
      </Suspense>
    </MessageToolsContext>
  )
}

const rowOf = (message: Message): HTMLElement => {
  const row = document.querySelector(`[data-row="${message.id}"]`)
  return row instanceof HTMLElement ? row : document.body
}
