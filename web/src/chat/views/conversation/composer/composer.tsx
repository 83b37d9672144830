import {
  AtSign,
  Bold,
  Camera,
  ChartColumn,
  CircleCheck,
  Code,
  Contact,
  Italic,
  Link,
  List,
  MapPin,
  Mic,
  Paperclip,
  Plus,
  Smile,
} from 'lucide-react'
import {
  type ChangeEvent,
  lazy,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { classes } from '../../../../kit/classes.ts'
import type { LucideIcon } from '../../../../kit/icon.tsx'
import { CTRL, Keys } from '../../../../kit/keys.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { Popover } from '../../../../kit/popover.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { type ConversationPlace, keyOf, type Outgoing, type OutgoingFile } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { INSERT_TEXT, type InsertText, type MakeRequest, useShell } from '../../seam.ts'
import { useSnapshot } from '../snapshot.ts'
import styles from './composer.module.css'
import { useDecode } from './decoding.ts'
import { FileList, useFiles } from './files.tsx'
import { type Handed, onHanded } from './handed.ts'
import { SendButton } from './send-button.tsx'
import { setSendKey, useSendKey } from './send-key.ts'
import { SendLater } from './send-later.tsx'
import { Typing } from './typing.tsx'
import { WritingField, type WritingHandle } from './writing-field.tsx'
import { encode, lengthOf, NOTHING } from './written.ts'

const EmojiPicker = lazy(() => import('../emoji/picker.tsx'))
const Recorder = lazy(() => import('../voice/recorder.tsx'))

/** The counter appears so near to the limit. */
const COUNTED_FROM = 500
/** The others are told that one is writing at most so often. */
const TOLD_EVERY_MS = 3000

export type ComposerHandle = {
  focus: () => void
  addFiles: (files: readonly File[]) => void
  /** Takes up what was not sent. */
  takeUp: (outgoing: Outgoing) => void
}

export type ComposerProps = {
  place: ConversationPlace
  /** Arrow up in the empty field. */
  onUp: () => void
  onSent: () => void
  onEscape?: (() => void) | undefined
  autoFocus?: boolean
  ref?: Ref<ComposerHandle> | undefined
}

/** The field for writing messages: the text, kept as a draft, and files. */
export default function Composer({ place, onUp, onSent, onEscape, autoFocus = false, ref }: ComposerProps) {
  const t = useTexts(composerTexts)
  const { topicId, threadId } = place
  const key = keyOf(place)
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const decode = useDecode()
  const topicName = useChat((state) => state.topics.get(topicId)?.name ?? '')
  const draft = useChat((state) => state.drafts.get(key)?.text ?? '')
  const isDraftKept = useChat((state) => state.drafts.has(key) && !state.unsavedDrafts.has(key))
  const [written, setWritten] = useState(() => decode(draft))
  /** The draft as this field last gave or took it: another one comes from elsewhere. */
  const known = useRef(draft)
  const { files, add, set: setFiles } = useFiles()
  const field = useRef<WritingHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const toldAt = useRef(0)
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const [isRecording, setRecording] = useState(false)

  useEffect(() => {
    if (draft === known.current) return
    // A draft from elsewhere never replaces text that is being written here.
    if (box.current?.contains(document.activeElement) && document.hasFocus()) return
    known.current = draft
    setWritten(decode(draft))
  }, [draft, decode])

  const wire = encode(written, written.text.includes('@') ? snapshot().members.values() : [])
  const change = (next: typeof written) => {
    setWritten(next)
    known.current = encode(next)
    actions.saveDraft({ topicId, threadId }, known.current)
    if (next.text.trim() === '' || Date.now() - toldAt.current < TOLD_EVERY_MS) return
    toldAt.current = Date.now()
    actions.tellTyping({ topicId, threadId })
  }

  const excess =
    wire.length > LIMITS.messageText - COUNTED_FROM ? lengthOf(wire) - LIMITS.messageText : -COUNTED_FROM
  const isEmpty = wire.trim() === '' && files.length === 0
  const maySend = !isEmpty && excess <= 0
  const send = () => {
    if (!maySend) return
    actions.send({
      topicId,
      ...(threadId !== undefined && { threadId, parentId: threadId }),
      text: wire.trim(),
      ...(files.length > 0 && { files }),
    })
    clear()
    onSent()
  }
  const clear = () => {
    known.current = ''
    setWritten(NOTHING)
    setFiles([])
    actions.saveDraft({ topicId, threadId }, '')
    toldAt.current = 0
  }

  const stopRecording = () => {
    setRecording(false)
    refocus.current = true
  }
  const sendVoice = (file: OutgoingFile, waveform: number[]) => {
    actions.send({
      topicId,
      ...(threadId !== undefined && { threadId, parentId: threadId }),
      text: '',
      files: [file],
      waveform,
    })
    stopRecording()
    onSent()
  }
  /** The field is back after a recording, and takes the focus again. */
  const refocus = useRef(false)
  useEffect(() => {
    if (isRecording || !refocus.current) return
    refocus.current = false
    field.current?.focus()
  }, [isRecording])

  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    addFiles: (chosen) => {
      add(chosen)
      field.current?.focus()
    },
    takeUp: (outgoing) => {
      const text = [wire.trim(), outgoing.text].filter((part) => part !== '').join('\n\n')
      change(decode(text))
      const left = outgoing.files?.filter(({ blob }) => blob !== undefined) ?? []
      setFiles([...files, ...left].slice(0, LIMITS.filesPerMessage))
      field.current?.focus()
    },
  }))

  useEffect(() => {
    const inserted = (event: Event) => {
      const { detail } = event as InsertText
      if (detail.topicId !== topicId || threadId !== undefined) return
      setWritten((now) => {
        const next = decode(
          `${encode(now)}${now.text === '' || /\s$/.test(now.text) ? '' : ' '}${detail.text} `,
        )
        known.current = encode(next)
        actions.saveDraft({ topicId }, known.current)
        return next
      })
      field.current?.focus()
    }
    window.addEventListener(INSERT_TEXT, inserted)
    return () => window.removeEventListener(INSERT_TEXT, inserted)
  }, [topicId, threadId, decode, actions])

  const takeHanded = useRef((_: Handed) => {})
  takeHanded.current = ({ text, files: given }) => {
    if (text !== '') change(decode([wire.trim(), text].filter((part) => part !== '').join('\n\n')))
    if (given.length > 0) add(given)
    field.current?.focus()
  }
  useEffect(
    () => (threadId === undefined ? onHanded(topicId, (handed) => takeHanded.current(handed)) : undefined),
    [topicId, threadId],
  )

  const placeholder = threadId === undefined ? t.message(topicName) : t.replyIn
  return (
    <div className={styles.write}>
      <div ref={setAbove} />
      <div className={styles.box} ref={box}>
        {isRecording && (
          <Suspense>
            <Recorder onSend={sendVoice} onClose={stopRecording} />
          </Suspense>
        )}
        {!isRecording && files.length > 0 && (
          <FileList files={files} onRemove={(index) => setFiles(files.filter((_, each) => each !== index))} />
        )}
        {!isRecording && (
          <>
            <WritingField
              ref={field}
              above={above}
              topicId={topicId}
              label={placeholder}
              placeholder={placeholder}
              written={written}
              onChange={change}
              onSubmit={send}
              onEscape={onEscape}
              onUp={onUp}
              onFiles={add}
              autoFocus={autoFocus}
            />
            <Bar field={field} onFiles={add} onRecord={() => setRecording(true)} place={place}>
              <span className={styles.side}>
                {excess > -COUNTED_FROM ? (
                  <span role="status" className={classes(styles.count, excess > 0 && styles.over)}>
                    {excess > 0 ? t.tooLong(excess) : t.left(-excess)}
                  </span>
                ) : (
                  isDraftKept && !isEmpty && threadId === undefined && t.draftKept
                )}
              </span>
              <SendLater
                place={place}
                text={wire.trim()}
                hasFiles={files.length > 0}
                isDisabled={!maySend}
                onScheduled={() => {
                  clear()
                  field.current?.focus()
                }}
              />
              <SendButton label={t.send} isDisabled={!maySend} onSend={send} />
            </Bar>
          </>
        )}
      </div>
      <div className={styles.under}>
        <Typing of={key} />
        {threadId === undefined && <SendKeyHint />}
      </div>
    </div>
  )
}

function Bar({
  field,
  onFiles,
  onRecord,
  place,
  children,
}: {
  field: { current: WritingHandle | null }
  onFiles: (files: readonly File[]) => void
  onRecord: () => void
  place: ConversationPlace
  children: React.ReactNode
}) {
  const t = useTexts(composerTexts)
  const input = useRef<HTMLInputElement>(null)
  const isThread = place.threadId !== undefined
  const camera = useRef<HTMLInputElement>(null)
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])])
    target.value = ''
  }
  return (
    <div className={styles.bar}>
      <input ref={input} type="file" multiple hidden onChange={onChange} />
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={onChange} />
      <IconButton label={t.attach} icon={Paperclip} size="small" onClick={() => input.current?.click()} />
      <IconButton label={t.record} icon={Mic} size="small" onClick={onRecord} />
      <MakeMenu place={place} onCamera={() => camera.current?.click()} />
      {!isThread && (
        <fieldset className={styles.formatting} aria-label={t.formatting}>
          <span className={styles.line} />
          <IconButton
            label={t.bold}
            keys={`${CTRL} B`}
            icon={Bold}
            size="small"
            onClick={() => field.current?.bold()}
          />
          <IconButton
            label={t.italic}
            keys={`${CTRL} I`}
            icon={Italic}
            size="small"
            onClick={() => field.current?.italic()}
          />
          <IconButton
            label={t.code}
            keys={`${CTRL} E`}
            icon={Code}
            size="small"
            onClick={() => field.current?.code()}
          />
          <IconButton label={t.link} icon={Link} size="small" onClick={() => field.current?.link()} />
          <IconButton label={t.list} icon={List} size="small" onClick={() => field.current?.list()} />
          <span className={styles.line} />
        </fieldset>
      )}
      <Popover
        label={t.emoji}
        side="top"
        trigger={(props) => <IconButton {...props} label={t.emoji} icon={Smile} size="small" />}
      >
        {(close) => (
          <Suspense>
            <EmojiPicker
              onPick={(emoji) => {
                close()
                field.current?.insert(emoji)
              }}
            />
          </Suspense>
        )}
      </Popover>
      <IconButton label={t.mention} icon={AtSign} size="small" onClick={() => field.current?.insert('@')} />
      {children}
    </div>
  )
}

/** Phones and tablets: elsewhere browsers show a list of files for it. */
const hasCamera = (): boolean => window.matchMedia('(pointer: coarse)').matches

/** The menu of polls, tasks and other cards to send. Polls and tasks belong to the topic: in a thread they are not offered. */
function MakeMenu({ place, onCamera }: { place: ConversationPlace; onCamera: () => void }) {
  const t = useTexts(composerTexts)
  const { make } = useShell()
  const entry = (kind: MakeRequest['kind'], label: string, icon: LucideIcon) => ({
    label,
    icon,
    // After the menu has closed and given the focus back.
    onSelect: () => void window.setTimeout(() => make({ kind, place })),
  })
  const ofTopic = [entry('poll', t.makePoll, ChartColumn), entry('task', t.makeTask, CircleCheck)]
  return (
    <Menu
      label={t.make}
      side="top"
      entries={() => [
        ...(hasCamera() ? [{ label: t.camera, icon: Camera, onSelect: onCamera }] : []),
        ...(place.threadId === undefined ? ofTopic : []),
        entry('location', t.makeLocation, MapPin),
        entry('contact', t.makeContact, Contact),
      ]}
      trigger={(props) => <IconButton {...props} label={t.make} icon={Plus} size="small" />}
    />
  )
}

/** Says which key sends, and lets it be chosen. */
function SendKeyHint() {
  const t = useTexts(composerTexts)
  const sendKey = useSendKey()
  const other = sendKey === 'enter' ? 'Shift Enter' : 'Enter'
  return (
    <Menu
      label={t.sendKey}
      side="top"
      align="end"
      entries={() => [
        {
          kind: 'choice',
          label: t.sendKey,
          value: sendKey,
          options: [
            ['enter', t.keyEnter],
            ['ctrl-enter', t.keyCtrlEnter(CTRL)],
          ],
          onChange: (value) => setSendKey(value === 'ctrl-enter' ? 'ctrl-enter' : 'enter'),
        },
      ]}
      trigger={(props) => (
        <button type="button" {...props} className={styles.hint}>
          <Keys keys={sendKey === 'enter' ? t.keyEnter : t.keyCtrlEnter(CTRL)} /> {t.sendsEnter},{' '}
          <Keys keys={other} /> {t.newLine}
        </button>
      )}
    />
  )
}
