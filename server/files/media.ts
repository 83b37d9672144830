import { parseFile } from 'music-metadata'
import type { Kind, Sniffed } from './kinds.ts'
import { readFilm } from './mp4.ts'
import { readWebm } from './webm.ts'

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
 * The kind of a sound or a film, and its length in ms. Containers of films often hold only sound: voice from a browser is
 * WebM. One that cannot be looked into is what it seemed to be. Runs in the image process, which bounds its time and its memory.
 */
export async function inspectMedia(path: string, { kind, contentType }: Sniffed): Promise<MediaFacts> {
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
  try {
    const { format } = await parseFile(path, { duration: true, skipCovers: true })
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
