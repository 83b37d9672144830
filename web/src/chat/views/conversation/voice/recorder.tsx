import { CirclePause, Mic, Pause, Play } from 'lucide-react'
import { useEffect, useReducer, useRef, useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import { Button, IconButton } from '../../../../kit/button.tsx'
import { classes } from '../../../../kit/classes.ts'
import { useAskBeforeLeaving } from '../../../../kit/leaving.ts'
import { useBytes } from '../../../../kit/number.ts'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { voiceTexts } from '../../../../texts/chat-voice.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { OutgoingFile } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { SendButton } from '../composer/send-button.tsx'
import { clockOf } from './clock.ts'
import { pause as pausePlayer } from './player.ts'
import { beginRecording, CannotRecord, type Recording, type RecordingProblem } from './recording.ts'
import styles from './voice.module.css'
import { squeezed, Wave } from './wave.tsx'

/** Number of levels shown while recording: about five seconds. */
const SHOWN_LEVELS = 48

/** Replaces the composer's field while a voice message is recorded: level, length, pause, review, cancel and send. */
export default function Recorder({
  onSend,
  onClose,
}: {
  onSend: (file: OutgoingFile, waveform: number[]) => void
  onClose: () => void
}) {
  const t = useTexts(voiceTexts)
  const bytes = useBytes()
  const maxBytes = useChat((state) => state.organization?.maxFileBytes) ?? Number.POSITIVE_INFINITY
  const [attempt, tryAgain] = useReducer((count: number) => count + 1, 0)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [recording, setRecording] = useState<Recording>()
  const [problem, setProblem] = useState<RecordingProblem>()
  const [isPaused, setPaused] = useState(false)
  const isSending = useRef(false)
  const pauseButton = useRef<HTMLButtonElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    let isGone = false
    let begun: Recording | undefined
    setProblem(undefined)
    pausePlayer()
    beginRecording(redraw).then(
      (made) => {
        begun = made
        if (isGone) made.drop()
        else setRecording(made)
      },
      (error: unknown) => setProblem(error instanceof CannotRecord ? error.problem : 'busy'),
    )
    return () => {
      isGone = true
      begun?.drop()
    }
  }, [attempt])
  useEffect(() => {
    if (recording) pauseButton.current?.focus()
  }, [recording])
  useAskBeforeLeaving(recording !== undefined, t.leave)
  const isFull = recording !== undefined && recording.bytes() > maxBytes * 0.95
  useEffect(() => {
    if (!isFull) return
    recording?.pause()
    setPaused(true)
  }, [isFull, recording])

  if (problem)
    return (
      <div className={styles.problem}>
        <p role="alert">{t[problem]}</p>
        <Button look="quiet" size="small" onClick={onClose}>
          {t.cancel}
        </Button>
        {problem !== 'insecure' && problem !== 'unable' && (
          <Button size="small" onClick={tryAgain}>
            {t.tryAgain}
          </Button>
        )}
      </div>
    )
  if (!recording)
    return (
      <div className={styles.problem}>
        <p role="status">{t.asking}</p>
        <Button look="quiet" size="small" onClick={onClose}>
          {t.cancel}
        </Button>
      </div>
    )

  const toggle = () => {
    if (isPaused) recording.goOn()
    else recording.pause()
    setPaused(!isPaused)
  }
  const send = async () => {
    if (isSending.current) return
    isSending.current = true
    const { name, type, blob } = await recording.end()
    onSend({ name, type, size: blob.size, blob }, squeezed(recording.levels, LIMITS.waveformLevels))
  }
  return (
    <>
      <div className={classes(styles.recorder, isPaused && styles.paused)}>
        <span className={styles.dot} aria-hidden />
        <VisuallyHidden>
          <span role="status">{isPaused ? t.paused : t.recording}</span>
        </VisuallyHidden>
        <span className={styles.time} role="timer">
          {clockOf(recording.length() / 1000)}
        </span>
        <Wave
          levels={isPaused ? recording.levels : recording.levels.slice(-SHOWN_LEVELS)}
          played={isPaused ? 0 : 1}
        />
        {isPaused && <Review recording={recording} />}
        {!isFull && (
          <IconButton
            ref={pauseButton}
            label={isPaused ? t.goOn : t.pauseRecording}
            icon={isPaused ? Mic : CirclePause}
            onClick={toggle}
          />
        )}
        <Button look="quiet" size="small" onClick={onClose}>
          {t.cancel}
        </Button>
        <SendButton label={t.send} onSend={() => void send()} />
      </div>
      {isFull && (
        <p className={styles.note} role="alert">
          {t.tooLarge(bytes(maxBytes))}
        </p>
      )}
    </>
  )
}

/** Plays what was recorded so far. */
function Review({ recording }: { recording: Recording }) {
  const t = useTexts(voiceTexts)
  const [isPlaying, setPlaying] = useState(false)
  const player = useRef<HTMLAudioElement>(undefined)
  useEffect(
    () => () => {
      const audio = player.current
      if (!audio) return
      audio.pause()
      URL.revokeObjectURL(audio.src)
    },
    [],
  )
  const toggle = async () => {
    if (isPlaying) {
      player.current?.pause()
      return
    }
    if (!player.current) {
      const { blob } = await recording.soFar()
      const audio = new Audio(URL.createObjectURL(blob))
      audio.addEventListener('play', () => setPlaying(true))
      for (const name of ['pause', 'ended', 'error']) audio.addEventListener(name, () => setPlaying(false))
      player.current = audio
    }
    await player.current.play().catch(() => setPlaying(false))
  }
  return (
    <IconButton
      label={isPlaying ? t.stopListening : t.listen}
      icon={isPlaying ? Pause : Play}
      onClick={() => void toggle()}
    />
  )
}
