import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Program, run } from './program.ts'

/**
 * Files come from strangers, and some formats are lists of other files or addresses: hls, dash, concat, imf, sdp, image
 * sequences, a webvtt or vobsub with its companion. Only containers that hold the sound themselves are opened.
 */
const SELF_CONTAINED = [
  ...['aac', 'ac3', 'eac3', 'loas', 'mp3', 'flac', 'ape', 'tta', 'wv', 'mpc', 'mpc8'],
  ...['amr', 'amrnb', 'amrwb', 'aiff', 'au', 'caf', 'voc', 'w64', 'wav'],
  ...['asf', 'avi', 'flv', 'matroska', 'webm', 'mov', 'mp4', 'm4a', '3gp', 'mpeg', 'mpegts', 'ogg'],
]

/** 460 MB of wav. A small file of silence can unpack to any length, and no voice message lasts four hours. */
const LONGEST_SECONDS = 4 * 3600

const INPUT = [
  ...['-nostdin', '-v', 'error'],
  ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', SELF_CONTAINED.join(',')],
  // Pictures and subtitles are ignored.
  ...['-vn', '-sn', '-dn'],
]
// The header without metadata is the 44 bytes that simple readers expect.
const OUTPUT = [
  ...['-t', String(LONGEST_SECONDS), '-map', '0:a:0', '-map_metadata', '-1', '-fflags', '+bitexact'],
  ...['-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-f', 'wav'],
]

/** Lets `use` have the file as 16 kHz mono wav, in a folder that is gone afterwards; without ffmpeg, as it is. */
export async function asWav<Result>(
  ffmpeg: Program | undefined,
  path: string,
  signal: AbortSignal,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  if (ffmpeg === undefined) return use(path)
  const folder = await mkdtemp(join(tmpdir(), 'parley-voice-'))
  try {
    const wav = join(folder, 'voice.wav')
    // `file:`, because ffmpeg takes a name with a colon for a protocol.
    await run(ffmpeg, [...INPUT, '-i', `file:${path}`, ...OUTPUT, wav], signal)
    return await use(wav)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether it is 16-bit PCM, mono, 16 kHz, with the header that nearly every program writes. */
export async function isPlainWav(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const header = Buffer.alloc(36)
    await file.read(header, 0, header.length, 0)
    const tags = [header.toString('latin1', 0, 4), header.toString('latin1', 8, 16)].join(' ')
    const [format, channels, bits] = [20, 22, 34].map((offset) => header.readUInt16LE(offset))
    const isMono16 = format === 1 && channels === 1 && bits === 16
    return tags === 'RIFF WAVEfmt ' && isMono16 && header.readUInt32LE(24) === 16_000
  } finally {
    await file.close()
  }
}
