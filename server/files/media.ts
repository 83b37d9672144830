import type { Kind } from './kinds.ts'

const PATIENCE_MS = 20_000

/** What a sound or a film is and how long it takes. Containers of films often hold only sound: voice from a browser is WebM. */
export async function inspectMedia(
  path: string,
  kind: Kind,
): Promise<{ kind: Kind; duration: number | undefined }> {
  const { parseFile } = await import('music-metadata')
  const { format } = await withPatience(parseFile(path, { duration: true, skipCovers: true }))
  const has = (track: number) => format.trackInfo.some(({ type }) => type === track)
  const hasVideo = format.hasVideo || has(VIDEO_TRACK)
  const hasAudio = format.hasAudio || has(AUDIO_TRACK)
  const seconds = format.duration
  return {
    kind: kind === 'video' && hasAudio && !hasVideo ? 'audio' : kind,
    duration: seconds !== undefined && Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined,
  }
}

const VIDEO_TRACK = 1
const AUDIO_TRACK = 2

async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the file takes too long to read')), PATIENCE_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
