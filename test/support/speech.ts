import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { findProgram } from '../../server/files/voice/program.ts'

const execute = promisify(execFile)

/** Missing programs for a real conversation between machines: a speaker, a converter, a listener. */
export const MISSING_FOR_SPEECH = await missing('espeak-ng', 'ffmpeg', 'pocketsphinx_continuous')
export const MISSING_FOR_CONVERSION = await missing('ffmpeg')

/** A suffix for the title of a skipped test, which names the reason. */
export const because = (missing: readonly string[]): string =>
  missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not installed)`

/**
 * A synthetic voice is hard for pocketsphinx; "hello world" is not understood. Of some thirty sentences and five voices,
 * this sentence in this voice is, at 130 to 160 words a minute, and also after opus, mp3, m4a and webm.
 */
const SENTENCE = "I don't know what to do"
const SPEAKER = ['-v', 'en-us+f5', '-s', '140']
export const SPOKEN_WORDS = ["don't", 'know', 'what', 'do']

/** Speaks into a file; any ending that ffmpeg knows, `.wav` (22 kHz) without it. */
export async function speak(file: string): Promise<void> {
  const wav = file.endsWith('.wav') ? file : `${file}.spoken.wav`
  await execute('espeak-ng', [...SPEAKER, '-w', wav, SENTENCE])
  if (wav !== file) await execute('ffmpeg', ['-nostdin', '-v', 'error', '-i', wav, file])
}

async function missing(...programs: string[]): Promise<string[]> {
  const found = await Promise.all(programs.map((program) => findProgram(program, process.env.PATH)))
  return programs.filter((_program, index) => found[index] === undefined)
}
