import type { Kind } from './kinds.ts'
import { readFilmLength } from './mp4.ts'

const PATIENCE_MS = 20_000
const VIDEO_TRACK = 1
const AUDIO_TRACK = 2

export type MediaFacts = { kind: Kind; contentType: string; duration?: number }

/**
 * What a sound or a film is, and how long it takes in ms. Containers of films often hold only sound: voice from a browser is
 * WebM. One that cannot be looked into is what it seemed to be.
 */
export async function inspectMedia(path: string, seeming: MediaFacts): Promise<MediaFacts> {
  const { hasVideo, hasAudio, seconds = await lengthOfFilm(path, seeming) } = await look(path)
  const duration = seconds !== undefined && Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined
  const isSound = seeming.kind === 'video' && hasAudio && !hasVideo
  return {
    kind: isSound ? 'audio' : seeming.kind,
    contentType: isSound ? seeming.contentType.replace(/^video/, 'audio') : seeming.contentType,
    ...(duration !== undefined && { duration }),
  }
}

type Look = { hasVideo: boolean; hasAudio: boolean; seconds: number | undefined }

async function look(path: string): Promise<Look> {
  const { parseFile } = await import('music-metadata')
  try {
    const { format } = await withPatience(parseFile(path, { duration: true, skipCovers: true }))
    const has = (track: number) => format.trackInfo.some(({ type }) => type === track)
    return {
      hasVideo: format.hasVideo || has(VIDEO_TRACK),
      hasAudio: format.hasAudio || has(AUDIO_TRACK),
      seconds: format.duration,
    }
  } catch (error) {
    if (isOfDisk(error)) throw error
    return { hasVideo: false, hasAudio: false, seconds: undefined }
  }
}

async function lengthOfFilm(path: string, { contentType }: MediaFacts): Promise<number | undefined> {
  return /^video\/(mp4|quicktime|x-m4v|3gpp2?)$/.test(contentType) ? readFilmLength(path) : undefined
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the file takes too long to read')), PATIENCE_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
