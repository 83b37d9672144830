/** Recording formats, the first that the browser supports is used: the server takes all of them as they are. */
const FORMATS = [
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
  { type: 'audio/mp4', ending: 'm4a' },
  { type: 'audio/ogg;codecs=opus', ending: 'ogg' },
] as const
/** Opus is clear at this rate: an hour of voice has 14 MB. */
const BITS_PER_SECOND = 32_000
const LEVEL_EVERY_MS = 100
/** Loud speech fills the scale. */
const LOUDEST = 0.6

export type RecordingProblem = 'refused' | 'noMicrophone' | 'busy' | 'insecure' | 'unable'

export class CannotRecord extends Error {
  readonly problem: RecordingProblem
  constructor(problem: RecordingProblem) {
    super(problem)
    this.problem = problem
  }
}

export type RecordedFile = { name: string; type: string; blob: Blob }

/** A recording that goes on, is paused, or has ended. The caller must end or drop it: until then the microphone is on. */
export type Recording = {
  /** How loud it was, ten times a second, from 0 to 100. */
  levels: readonly number[]
  /** Recorded milliseconds, without pauses. */
  length(): number
  bytes(): number
  pause(): void
  goOn(): void
  /** The recording so far: one can listen to it while it is paused. */
  soFar(): Promise<RecordedFile>
  end(): Promise<RecordedFile>
  drop(): void
}

/** Asks for the microphone and begins; throws `CannotRecord` with the reason where that is not possible. */
export async function beginRecording(onLevel: () => void): Promise<Recording> {
  if (!window.isSecureContext || !navigator.mediaDevices) throw new CannotRecord('insecure')
  const format = FORMATS.find(({ type }) => window.MediaRecorder?.isTypeSupported(type))
  if (!format) throw new CannotRecord('unable')
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
    throw new CannotRecord(problemOf(error))
  })
  const recorder = new MediaRecorder(stream, {
    mimeType: format.type,
    audioBitsPerSecond: BITS_PER_SECOND,
  })
  const chunks: Blob[] = []
  recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data))
  const meter = meterOf(stream)
  const levels: number[] = []
  let before = 0
  let since: number | undefined = performance.now()
  const timer = setInterval(() => {
    if (recorder.state === 'recording') levels.push(meter.level())
    onLevel()
  }, LEVEL_EVERY_MS)
  recorder.start(1000)

  const stopClock = () => {
    if (since !== undefined) before += performance.now() - since
    since = undefined
  }
  const release = () => {
    clearInterval(timer)
    stopClock()
    meter.close()
    for (const track of stream.getTracks()) track.stop()
  }
  const file = (): RecordedFile => {
    const [type = ''] = format.type.split(';')
    return { name: `voice-message.${format.ending}`, type, blob: new Blob(chunks, { type }) }
  }
  const told = (name: 'dataavailable' | 'stop') =>
    new Promise((resolve) => recorder.addEventListener(name, resolve, { once: true }))
  return {
    levels,
    length: () => before + (since === undefined ? 0 : performance.now() - since),
    bytes: () => chunks.reduce((sum, { size }) => sum + size, 0),
    pause() {
      stopClock()
      if (recorder.state === 'recording') recorder.pause()
      onLevel()
    },
    goOn() {
      if (recorder.state !== 'paused') return
      since = performance.now()
      recorder.resume()
      onLevel()
    },
    async soFar() {
      if (recorder.state !== 'inactive') {
        const flushed = told('dataavailable')
        recorder.requestData()
        await flushed
      }
      return file()
    },
    async end() {
      release()
      if (recorder.state !== 'inactive') {
        const ended = told('stop')
        recorder.stop()
        await ended
      }
      return file()
    },
    drop() {
      release()
      if (recorder.state !== 'inactive') recorder.stop()
    },
  }
}

function problemOf(error: unknown): RecordingProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'noMicrophone' : 'busy'
}

function meterOf(stream: MediaStream): { level(): number; close(): void } {
  const context = new AudioContext()
  void context.resume()
  const analyser = context.createAnalyser()
  analyser.fftSize = 4096 // 85 of each 100 ms
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    level() {
      analyser.getFloatTimeDomainData(samples)
      const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      return Math.min(100, Math.round((peak / LOUDEST) * 100))
    },
    close: () => void context.close(),
  }
}
