import { lazy, type Ref, Suspense, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { Checkbox } from '../../../../kit/choice.tsx'
import { classes } from '../../../../kit/classes.ts'
import { named, Words } from '../../../../kit/name.tsx'
import { useIsPhone } from '../../../../kit/touch.ts'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { type ConversationPlace, keyOf, type Outgoing, type OutgoingFile } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { INSERT_TEXT, type InsertText } from '../../seam.ts'
import { useSnapshot } from '../snapshot.ts'
import { useCommandForm } from './command-form.tsx'
import styles from './composer.module.css'
import { ComposerBar } from './composer-bar.tsx'
import { useDecode } from './decoding.ts'
import { FileList, useFiles } from './files.tsx'
import { GuestsHere } from './guests-here.tsx'
import { type Handed, onHanded } from './handed.ts'
import { useMentionQuestion } from './mention-question.tsx'
import { useOwnCommands } from './own-commands.ts'
import { QuotedLine } from './quoted-line.tsx'
import { SendButton } from './send-button.tsx'
import { SendKeyHint } from './send-key-hint.tsx'
import { SendLater } from './send-later.tsx'
import { Typing } from './typing.tsx'
import { WritingField, type WritingHandle } from './writing-field.tsx'
import { EVERYBODY, encode, lengthOf, NOTHING } from './written.ts'

const Recorder = lazy(() => import('../voice/recorder.tsx'))

/** A mention whose member is not known here. */
const UNNAMED = /<@((?:b@)?[0-9a-f-]{36})>/
/** The counter appears so near to the limit. */
const COUNTED_FROM = 500
/** Shortest time between two signals that a person is typing. */
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
  /** The message that the next one answers in the topic. */
  quoted?: Message | undefined
  onUnquote?: () => void
  onEscape?: (() => void) | undefined
  autoFocus?: boolean
  ref?: Ref<ComposerHandle> | undefined
}

/** The field for writing messages: the text, kept as a draft, and files. */
export default function Composer({
  place,
  onUp,
  onSent,
  quoted,
  onUnquote,
  onEscape,
  autoFocus = false,
  ref,
}: ComposerProps) {
  const t = useTexts(composerTexts)
  const { topicId, threadId } = place
  const key = keyOf(place)
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const decode = useDecode()
  const topicName = useChat((state) => state.topics.get(topicId)?.name ?? '')
  const draft = useChat((state) => state.drafts.get(key)?.text ?? '')
  const isDraftKept = useChat((state) => state.drafts.get(key)?.text && !state.unsavedDrafts.has(key))
  const [written, setWritten] = useState(() => decode(draft))
  /** The draft as this field last gave or took it: another one comes from elsewhere. */
  const known = useRef(draft)
  const { files, add, set: setFiles } = useFiles()
  const field = useRef<WritingHandle>(null)
  const box = useRef<HTMLDivElement>(null)
  const toldAt = useRef(0)
  const [above, setAbove] = useState<HTMLElement | null>(null)
  const [isRecording, setRecording] = useState(false)
  const [isAlsoInTopic, setAlsoInTopic] = useState(false)
  const mayShow = useChat(
    ({ organization }) => threadId !== undefined && organization?.repliesInTopics !== true,
  )
  /** The message that this one answers, and whether the topic shows it. */
  const answers =
    threadId !== undefined
      ? { threadId, parentId: threadId, ...(mayShow && isAlsoInTopic && { alsoInTopic: true }) }
      : quoted && { parentId: quoted.id, alsoInTopic: true }

  useEffect(() => {
    if (draft === known.current) return
    // A draft from elsewhere never replaces text that is being written here.
    if (box.current?.contains(document.activeElement) && document.hasFocus()) return
    known.current = draft
    setWritten(decode(draft))
  }, [draft, decode])

  // A draft from elsewhere may mention members who are read only now.
  const unnamed = UNNAMED.exec(written.text)?.[1]
  const isNamedNow = useChat(({ members }) => unnamed !== undefined && members.get(unnamed) !== undefined)
  useEffect(() => {
    if (isNamedNow) setWritten((now) => decode(encode(now)))
  }, [isNamedNow, decode])

  const wire = encode(
    written,
    written.text.includes('@') ? [...snapshot().members.values(), ...EVERYBODY] : [],
  )
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
  const { ask, question } = useMentionQuestion(topicId)
  const commandForm = useCommandForm()
  const ownCommands = useOwnCommands(place, quoted?.id)
  const send = () => {
    if (!maySend) return
    if (files.length > 0) return ask({ text: wire.trim(), ...answers }, sendNow)
    if (ownCommands.run(wire.trim())) return clear()
    const { parentId, alsoInTopic } = { parentId: undefined, alsoInTopic: undefined, ...answers }
    const text = {
      topicId,
      text: wire.trim(),
      ...(parentId !== undefined && { parentId }),
      ...(alsoInTopic && { alsoInTopic }),
    }
    commandForm.open(text, () => ask({ text: wire.trim(), ...answers }, sendNow), sent)
  }
  const sendNow = () => {
    actions.send({
      topicId,
      ...answers,
      text: wire.trim(),
      ...(files.length > 0 && { files }),
    })
    sent()
  }
  const sent = () => {
    clear()
    onSent()
  }
  const clear = () => {
    known.current = ''
    setWritten(NOTHING)
    setFiles([])
    actions.saveDraft({ topicId, threadId }, '')
    toldAt.current = 0
    setAlsoInTopic(false)
    onUnquote?.()
  }

  const stopRecording = () => {
    setRecording(false)
    refocus.current = true
  }
  const sendVoice = (file: OutgoingFile, waveform: number[]) => {
    actions.send({
      topicId,
      ...answers,
      text: '',
      files: [file],
      waveform,
    })
    stopRecording()
    setAlsoInTopic(false)
    onUnquote?.()
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

  const isPhone = useIsPhone()
  const [isUsed, setUsed] = useState(false)
  const isOneLine = isPhone && isEmpty && !isUsed && !isRecording && !quoted
  // A touch elsewhere folds it: with the focus, it would fold under the finger that reaches for one of its buttons.
  useEffect(() => {
    if (!isUsed) return
    const touched = ({ target }: PointerEvent) => {
      const isNear =
        target instanceof Element &&
        (box.current?.contains(target) || target.closest('[role=dialog], [role=menu], [role=listbox]'))
      if (!isNear) setUsed(false)
    }
    window.addEventListener('pointerdown', touched)
    return () => window.removeEventListener('pointerdown', touched)
  }, [isUsed])

  const placeholder = threadId === undefined ? t.message(topicName) : t.replyIn
  return (
    <div className={styles.write}>
      <div ref={setAbove} />
      <div className={classes(styles.box, isOneLine && styles.oneLine)} ref={box}>
        {isRecording && (
          <Suspense>
            <Recorder onSend={sendVoice} onClose={stopRecording} />
          </Suspense>
        )}
        <GuestsHere topicId={topicId} />
        {quoted && <QuotedLine message={quoted} onRemove={() => onUnquote?.()} />}
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
              onEscape={quoted ? onUnquote : onEscape}
              onUp={onUp}
              onFiles={add}
              onFocus={() => setUsed(true)}
              ownCommands={ownCommands.commands}
              autoFocus={autoFocus}
            />
            <ComposerBar field={field} onFiles={add} onRecord={() => setRecording(true)} place={place}>
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
                answers={answers}
                text={wire.trim()}
                hasFiles={files.length > 0}
                isDisabled={!maySend}
                onScheduled={() => {
                  clear()
                  field.current?.focus()
                }}
              />
              <SendButton label={t.send} isDisabled={!maySend} onSend={send} />
            </ComposerBar>
          </>
        )}
      </div>
      {question}
      {commandForm.form}
      {mayShow && (
        <div className={styles.also}>
          <Checkbox
            label={<Words text={t.alsoInTopic(named(topicName))} />}
            isOn={isAlsoInTopic}
            onChange={setAlsoInTopic}
          />
        </div>
      )}
      <div className={styles.under}>
        <Typing of={key} />
        {threadId === undefined && <SendKeyHint />}
      </div>
    </div>
  )
}
