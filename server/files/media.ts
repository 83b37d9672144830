import type { Kind } from './kinds.ts'
import { readFilm } from './mp4.ts'
import { readWebm } from './webm.ts'

const PATIENCE_MS = 20_000
const VIDEO_TRACK = 1
const AUDIO_TRACK = 2

export type MediaFacts = {
  kind: Kind
  contentType: string
  duration?: number
  width?: number
  height?: number
}

/**
 * The kind of a sound or film, and its length in ms. Film containers often hold only sound: voice from a browser is
 * WebM. An unreadable file keeps its claimed kind.
 */
export async function inspectMedia(
  path: string,
  { kind, contentType }: Pick<MediaFacts, 'kind' | 'contentType'>,
): Promise<MediaFacts> {
  const { hasVideo, hasAudio, seconds, width, height } = await look(path, contentType)
  const duration = seconds !== undefined && Number.isFinite(seconds) ? Math.round(seconds * 1000) : undefined
  const isSound = kind === 'video' && hasAudio && !hasVideo
  return {
    kind: isSound ? 'audio' : kind,
    contentType: isSound ? contentType.replace(/^video/, 'audio') : contentType,
    ...(duration !== undefined && duration > 0 && { duration }),
    ...(kind === 'video' && !isSound && width && height && { width, height }),
  }
}

type Look = {
  hasVideo: boolean
  hasAudio: boolean
  seconds?: number | undefined
  width?: number | undefined
  height?: number | undefined
}

async function look(path: string, contentType: string): Promise<Look> {
  // The audio library fails on recordings of browsers.
  const webm = /^(audio|video)\/(webm|(x-)?matroska)$/.test(contentType) ? await readWebm(path) : undefined
  if (webm && (webm.hasAudio || webm.hasVideo)) return webm
  const sound = await listen(path)
  if (!/^video\/(mp4|quicktime|x-m4v|3gpp2?)$/.test(contentType)) return sound
  const film = await readFilm(path)
  return { ...film, ...sound, seconds: sound.seconds ?? film.seconds }
}

async function listen(path: string): Promise<Look> {
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
    return { hasVideo: false, hasAudio: false }
  }
}

const isOfDisk = (error: unknown): boolean => error instanceof Error && 'syscall' in error

async function withPatience<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the file takes too long to read')), PATIENCE_MS)
  })
  return Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
