import { Pause, Play } from 'lucide-react'
import { lazy, Suspense, useContext, useState, useSyncExternalStore } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { voiceTexts } from '../../../../texts/chat-voice.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import type { ChatState } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { isOver, useLink } from '../files/links.ts'
import { useSnapshot } from '../snapshot.ts'
import { clockOf } from './clock.ts'
import { getPlaying, nextRate, pause, play, seek, subscribe, type Track } from './player.ts'
import styles from './voice.module.css'
import { Wave } from './wave.tsx'

const EngineHelp = lazy(() => import('./engine-help.tsx'))

/** File names that the recorder gives. Other names are shown, since a person chose them. */
const RECORDED = /^voice-message\.\w+$/

/** A voice message with its transcript. Playing goes on with the next one. */
export default function Voice({ message, attachment }: { message: Message; attachment: Attachment }) {
  const t = useTexts(voiceTexts)
  const snapshot = useSnapshot()
  const { link, isBroken, onError } = useLink(message, attachment)
  const now = useSyncExternalStore(subscribe, getPlaying)
  const isThis = now.id === attachment.id
  const length = attachment.duration === undefined ? undefined : attachment.duration / 1000
  const at = isThis ? now.at : 0
  const track: Track = { ...trackOf(snapshot, message, attachment), url: link }
  const toggle = () => {
    if (isThis && now.isPlaying) pause()
    else play(track)
  }
  const isFailed = isBroken || (isThis && now.isFailed)
  const hasName = attachment.name !== undefined && !RECORDED.test(attachment.name)
  const isOn = isThis && now.isPlaying
  const max = Math.max(1, Math.ceil(length ?? at))
  return (
    <fieldset className={styles.voice} aria-label={hasName ? attachment.name : t.message}>
      {hasName && <bdi className={styles.name}>{attachment.name}</bdi>}
      <div className={styles.bar}>
        <button
          type="button"
          className={styles.play}
          aria-label={isOn ? t.pause : t.play}
          {...tip(isOn ? t.pause : t.play)}
          onClick={() => {
            if (isThis && now.isFailed) onError()
            toggle()
          }}
        >
          <Icon icon={isOn ? Pause : Play} size={18} />
        </button>
        <div className={styles.track}>
          <Wave levels={attachment.waveform} played={length ? at / length : 0} />
          <input
            type="range"
            aria-label={t.position}
            aria-valuetext={t.at(clockOf(at), clockOf(length ?? at))}
            min={0}
            max={max}
            step={1}
            value={Math.min(max, Math.round(at))}
            onChange={({ target }) => seek(track, Number(target.value))}
          />
        </div>
        <span className={styles.length}>{clockOf(isThis && at > 0 ? at : (length ?? 0))}</span>
        <Rate rate={now.rate} />
      </div>
      {isFailed && <p className={styles.note}>{t.failed}</p>}
      <Transcription attachment={attachment} />
    </fieldset>
  )
}

/** The next recording is the next one in the conversation that has a link that works. */
function trackOf(snapshot: () => ChatState, message: Message, attachment: Attachment): Track {
  return {
    id: attachment.id,
    url: attachment.url,
    length: attachment.duration === undefined ? undefined : attachment.duration / 1000,
    next: () => {
      const following = recordingsAround(snapshot(), message)
      const index = following.findIndex((one) => one.attachment.id === attachment.id)
      const next = index < 0 ? undefined : following[index + 1]
      return next && !isOver(next.attachment.url)
        ? trackOf(snapshot, next.message, next.attachment)
        : undefined
    },
  }
}

function recordingsAround({ conversations, messages }: ChatState, { id, topicId, parentId }: Message) {
  const conversation = [topicId, parentId ?? id]
    .map((key) => conversations.get(key))
    .find((one) => one?.ids.includes(id))
  return (conversation?.ids ?? [id]).flatMap((messageId) => {
    const message = messages.get(messageId)
    const sounds = message?.attachmentDetails?.filter(({ type }) => type === 'audio') ?? []
    return message ? sounds.map((attachment) => ({ message, attachment })) : []
  })
}

function Rate({ rate }: { rate: number }) {
  const t = useTexts(voiceTexts)
  const language = useContext(LanguageContext)
  const shown = `${rate.toLocaleString(language)}×`
  return (
    <button
      type="button"
      className={styles.rate}
      aria-label={t.speed(shown)}
      {...tip(t.speed(shown))}
      onClick={nextRate}
    >
      {shown}
    </button>
  )
}

function Transcription({ attachment: { transcription } }: { attachment: Attachment }) {
  const t = useTexts(voiceTexts)
  const isAdmin = useChat((state) => state.me?.role === 'admin' || state.me?.role === 'owner')
  const [isAsked, setAsked] = useState(false)
  if (!transcription) return null
  const { status, text, reason } = transcription
  if (status === 'Done' && text)
    return (
      <>
        <p className={styles.said} dir="auto">
          {text}
        </p>
        <p className={styles.note}>{t.transcribed}</p>
      </>
    )
  if (status === 'Done') return <p className={styles.note}>{t.nothingHeard}</p>
  if (status === 'Pending') return <p className={styles.note}>{t.pending}</p>
  if (reason !== 'no_engine') return <p className={styles.note}>{t.notTranscribed}</p>
  return (
    <p className={styles.note}>
      {t.noEngine}{' '}
      {isAdmin ? (
        <button type="button" onClick={() => setAsked(true)}>
          {t.howTo}
        </button>
      ) : (
        t.askAdmin
      )}
      {isAsked && (
        <Suspense>
          <EngineHelp onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </p>
  )
}
