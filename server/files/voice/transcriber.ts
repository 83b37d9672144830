import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { LIMIT_MS, within } from './limits.ts'
import { findProgram, type Program, run } from './program.ts'
import { askService } from './service.ts'
import { asWav, isPlainWav } from './wav.ts'

type Settings = Config['transcription']

export type Transcriber = {
  /** The engine's name for the log and `doctor`: a program, TRANSCRIPTION_COMMAND, or the host of TRANSCRIPTION_URL. */
  name: string
  /**
   * The text of a local audio file, of this content type where its name has no ending. Rejects when the engine failed, with a message that
   * is fit for the log, and when `signal` is aborted, with its reason; no process of it is left then.
   */
  transcribe(path: string, signal: AbortSignal, contentType?: string): Promise<string>
}

/** Gets a wav file where there is ffmpeg, otherwise what was uploaded. */
type Engine = {
  name: string
  listen(path: string, signal: AbortSignal, contentType: string): Promise<string>
}

export const NO_ENGINE_HELP =
  'Voice messages are not transcribed: there is no engine. Set TRANSCRIPTION_URL (an OpenAI-compatible service) or ' +
  'TRANSCRIPTION_COMMAND, or install whisper-cli or pocketsphinx_continuous, and ffmpeg for formats other than wav.'

/** The engine of the settings, else one that is installed; undefined where there is none. */
export async function openTranscriber(
  settings: Settings,
  environmentPath = process.env.PATH,
  { limitMs = LIMIT_MS } = {},
): Promise<Transcriber | undefined> {
  const engine =
    configuredEngine(settings, environmentPath) ?? (await installedEngine(settings, environmentPath))
  if (engine === undefined) return undefined
  const ffmpeg = await installed('ffmpeg', environmentPath)
  return {
    name: engine.name,
    async transcribe(path, signal, contentType = '') {
      const text = await within(limitMs, signal, (signal) =>
        asWav(ffmpeg, resolve(path), signal, (audio) => engine.listen(audio, signal, contentType)),
      )
      return tidy(text)
    },
  }
}

function configuredEngine(settings: Settings, environmentPath: string | undefined): Engine | undefined {
  if (settings.url !== undefined) {
    const url = new URL(settings.url)
    return {
      name: url.host,
      listen: (path, signal, contentType) => askService(url, settings, { path, contentType }, signal),
    }
  }
  if (settings.command === undefined) return undefined
  // `$0` is the file: whatever its name holds, the shell does not read it as a command.
  const command = ['/bin/sh', '-c', `${settings.command} "$0"`]
  const program: Program = { name: 'TRANSCRIPTION_COMMAND', command, environmentPath }
  return programEngine(program, (path) => [path])
}

async function installedEngine(
  settings: Settings,
  environmentPath: string | undefined,
): Promise<Engine | undefined> {
  const whisper = await installed('whisper-cli', environmentPath)
  if (whisper !== undefined) return programEngine(whisper, (path) => whisperArguments(settings, path))
  const sphinx = await installed('pocketsphinx_continuous', environmentPath)
  return sphinx && sphinxEngine(sphinx)
}

async function installed(name: string, environmentPath: string | undefined): Promise<Program | undefined> {
  const file = await findProgram(name, environmentPath)
  return file === undefined ? undefined : { name, command: [file], environmentPath }
}

function programEngine(program: Program, argumentsFor: (path: string) => string[]): Engine {
  return {
    name: program.name,
    // Invalid UTF-8 becomes U+FFFD.
    listen: async (path, signal) => new TextDecoder().decode(await run(program, argumentsFor(path), signal)),
  }
}

/** The model is a file here; a plain name, such as the default, is one of a service. */
function whisperArguments({ language, model }: Settings, path: string): string[] {
  return [
    ...['-np', '-nt'],
    ...(model.includes('/') ? ['-m', model] : []),
    ...['-l', language ?? 'auto'],
    ...['-f', path],
  ]
}

/** pocketsphinx reads everything as 16 kHz mono, and would find words in the noise of other formats. */
function sphinxEngine(program: Program): Engine {
  const { name, listen } = programEngine(program, (path) => ['-infile', path, '-logfn', '/dev/null'])
  return {
    name,
    async listen(path, signal, contentType) {
      if (await isPlainWav(path)) return listen(path, signal, contentType)
      throw new Error(`${name} takes 16 kHz mono wav only; install ffmpeg, which converts the others`)
    },
  }
}

/** One line without characters that PostgreSQL or JSON refuse. */
function tidy(text: string): string {
  const lines = text.replaceAll('\0', '').split(/[\r\n]+/)
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ')
    .trim()
    .toWellFormed()
}
