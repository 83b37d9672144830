import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Config } from '../../server/config.ts'
import { findProgram } from '../../server/files/voice/program.ts'
import { NO_ENGINE_HELP, openTranscriber, type Transcriber } from '../../server/files/voice/transcriber.ts'
import { eventually } from '../support/eventually.ts'
import { isRunning } from '../support/server-process.ts'
import {
  because,
  MISSING_FOR_CONVERSION,
  MISSING_FOR_SPEECH,
  SPOKEN_WORDS,
  speak,
} from '../support/speech.ts'

const execute = promisify(execFile)

type Settings = Config['transcription']

const NOTHING_SET: Settings = {
  url: undefined,
  apiKey: undefined,
  model: 'whisper-1',
  language: undefined,
  command: undefined,
}
const never = () => new AbortController().signal

let folder: string
/** The PATH of the engines: a few basic tools, no ffmpeg. */
let tools: string
beforeAll(async () => {
  tools = await mkdtemp(join(tmpdir(), 'parley-tools-'))
  for (const name of ['cat', 'cp', 'env', 'sleep'])
    symlinkSync((await findProgram(name, process.env.PATH)) ?? '', join(tools, name))
})
afterAll(() => rm(tools, { recursive: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-engines-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

function write(name: string, content: string | Buffer, mode = 0o600): string {
  const file = join(folder, name)
  writeFileSync(file, content, { mode })
  return file
}

/** A folder of the PATH with these programs; each is a shell script. */
function programs(scripts: Record<string, string>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const [name, script] of Object.entries(scripts))
    write(join('bin', name), `#!/bin/sh\n${script}\n`, 0o700)
  return bin
}

async function open(settings: Partial<Settings>, path = tools, options = {}): Promise<Transcriber> {
  const transcriber = await openTranscriber({ ...NOTHING_SET, ...settings }, path, options)
  if (transcriber === undefined) throw new Error('there is no engine')
  return transcriber
}

const command = (line: string, options = {}) => open({ command: line }, tools, options)

/** PCM of silence with the usual header. */
function wav({ rate = 16_000, channels = 1, seconds = 0.1 } = {}): Buffer {
  const data = Buffer.alloc(Math.round(rate * seconds) * channels * 2)
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + data.length, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(rate, 24)
  header.writeUInt32LE(rate * channels * 2, 28)
  header.writeUInt16LE(channels * 2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(data.length, 40)
  return Buffer.concat([header, data])
}

describe('the engine', () => {
  const both = { 'whisper-cli': 'echo whisper', pocketsphinx_continuous: 'echo sphinx' }

  it('is the service, whatever else there is', async () => {
    const settings = {
      url: 'https://user:secret@speech.example.com:8443/v1/audio/transcriptions',
      command: 'cat',
    }
    const transcriber = await open(settings, programs(both))
    expect(transcriber.name).toBe('speech.example.com:8443')
  })

  it('is the command, before what is installed', async () => {
    const transcriber = await open({ command: 'echo mine; true' }, programs(both))
    expect(transcriber.name).toBe('TRANSCRIPTION_COMMAND')
    expect(await transcriber.transcribe(write('a.wav', wav()), never())).toBe('mine')
  })

  it('is whisper-cli, before pocketsphinx', async () => {
    const transcriber = await open({}, `/nowhere:${programs(both)}`)
    expect(transcriber.name).toBe('whisper-cli')
    expect(await transcriber.transcribe(write('a.wav', wav()), never())).toBe('whisper')
  })

  it('is pocketsphinx, where there is nothing else', async () => {
    const transcriber = await open({}, programs({ pocketsphinx_continuous: 'echo "$@"' }))
    const file = write('a.wav', wav())
    expect(transcriber.name).toBe('pocketsphinx_continuous')
    expect(await transcriber.transcribe(file, never())).toBe(`-infile ${file} -logfn /dev/null`)
  })

  it('is none, where nothing is set and nothing can be run', async () => {
    const bin = programs({})
    write('bin/whisper-cli', 'not executable')
    mkdirSync(join(bin, 'pocketsphinx_continuous'))
    expect(await openTranscriber(NOTHING_SET, bin)).toBeUndefined()
    expect(await openTranscriber(NOTHING_SET, '')).toBeUndefined()
    expect(NO_ENGINE_HELP).toMatch(
      /TRANSCRIPTION_URL.*TRANSCRIPTION_COMMAND.*whisper-cli.*pocketsphinx.*ffmpeg/,
    )
  })

  it('whisper-cli gets the language, and the model if that is a file', async () => {
    const bin = programs({ 'whisper-cli': 'echo "$@"' })
    const file = write('a.wav', wav())
    const said = async (settings: Partial<Settings>) => (await open(settings, bin)).transcribe(file, never())
    expect(await said({})).toBe(`-np -nt -l auto -f ${file}`)
    expect(await said({ language: 'de' })).toBe(`-np -nt -l de -f ${file}`)
    expect(await said({ model: '/models/base.bin' })).toBe(`-np -nt -m /models/base.bin -l auto -f ${file}`)
  })

  it('pocketsphinx without ffmpeg takes no other format than its own', async () => {
    const transcriber = await open({}, programs({ pocketsphinx_continuous: 'echo words in noise' }))
    for (const other of [wav({ rate: 22_050 }), wav({ channels: 2 }), Buffer.from('OggS'), Buffer.alloc(0)]) {
      const hearing = transcriber.transcribe(write('a.wav', other), never())
      await expect(hearing).rejects.toThrow(
        'pocketsphinx_continuous takes 16 kHz mono wav only; install ffmpeg',
      )
    }
  })
})

describe('a service', () => {
  type Asked = { path: string; headers: IncomingMessage['headers']; form: FormData }
  let asked: Asked[]
  let hungUp: number
  let answer: (response: ServerResponse) => void
  const server = createServer(async (request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) hungUp += 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = { 'content-type': String(request.headers['content-type']) }
    const form = await new Response(Buffer.concat(chunks), { headers }).formData()
    asked.push({ path: request.url ?? '', headers: request.headers, form })
    answer(response)
  })
  const url = (credentials = '') =>
    `http://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/transcriptions`
  const name = () => new URL(url()).host

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
  beforeEach(() => {
    asked = []
    hungUp = 0
    answer = (response) => response.end(JSON.stringify({ text: 'Hello.' }))
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('gets the file, the model, the language and the key', async () => {
    const bytes = Buffer.alloc(3_000_000, 'any bytes \r\n--\0')
    const transcriber = await open({ url: url(), apiKey: 'sk-secret', model: 'large-v3', language: 'de' })
    expect(transcriber.name).toBe(name())
    expect(await transcriber.transcribe(write('Ada "home".ogg', bytes), never())).toBe('Hello.')
    const [{ path, headers, form } = expect.unreachable()] = asked
    expect(path).toBe('/v1/audio/transcriptions')
    expect(headers.authorization).toBe('Bearer sk-secret')
    const { file, ...fields } = Object.fromEntries(form)
    expect(fields).toEqual({ model: 'large-v3', language: 'de', response_format: 'json' })
    if (!(file instanceof Blob)) return expect.unreachable()
    expect(file).toMatchObject({ name: 'voice.ogg' })
    expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('is told by an ending what a stored file is, which has none', async () => {
    const transcriber = await open({ url: url() })
    for (const contentType of ['audio/mpeg', 'audio/x-unheard-of', undefined])
      await transcriber.transcribe(write('stored', 'bytes'), never(), contentType)
    expect(asked.map(({ form }) => Object(form.get('file')).name)).toEqual(['voice.mp3', 'voice', 'voice'])
  })

  it('gets neither a language nor a key that is not set; the credentials of its address are sent', async () => {
    const file = write('a.wav', wav())
    await (await open({ url: url() })).transcribe(file, never())
    await (await open({ url: url('ada:p%40ss@') })).transcribe(file, never())
    expect(asked.map(({ form }) => [...form.keys()].sort())).toEqual([
      ['file', 'model', 'response_format'],
      ['file', 'model', 'response_format'],
    ])
    const basic = `Basic ${Buffer.from('ada:p@ss').toString('base64')}`
    expect(asked.map(({ headers }) => headers.authorization)).toEqual([undefined, basic])
  })

  it('its text becomes one well-formed line', async () => {
    answer = (response) => response.end('{"text":" Hello,\\n\\n  wor\\u0000ld.\\r\\n \\ud800 "}')
    const transcriber = await open({ url: url() })
    expect(await transcriber.transcribe(write('a.wav', wav()), never())).toBe('Hello, world. \uFFFD')
    answer = (response) => response.end('{"text":""}')
    expect(await transcriber.transcribe(write('a.wav', wav()), never())).toBe('')
  })

  const FAILURES: [string, (response: ServerResponse) => void, string][] = [
    ['500', (response) => response.writeHead(500).end('{"text":"no"}'), 'answered with status 500'],
    ['401', (response) => response.writeHead(401).end('wrong key sk-secret'), 'answered with status 401'],
    [
      'a redirect',
      (response) => response.writeHead(307, { location: '/elsewhere' }).end(),
      'answered with status 307',
    ],
    ['garbage', (response) => response.end('<html>'), 'answered with something else than JSON'],
    ['no text', (response) => response.end('{"error":"sk-secret"}'), 'answered without a "text"'],
    ['a text that is none', (response) => response.end('{"text":null}'), 'answered without a "text"'],
    ['null', (response) => response.end('null'), 'answered without a "text"'],
    [
      'eleven megabytes',
      (response) => response.end(JSON.stringify({ text: 'a'.repeat(11 * 1024 * 1024) })),
      'answered with more than 10485760 bytes',
    ],
  ]
  it.each(FAILURES)('that answers with %s has failed', async (_title, failing, message) => {
    answer = failing
    const transcriber = await open({ url: url(), apiKey: 'sk-secret' })
    const failure = await transcriber.transcribe(write('a.wav', wav()), never()).catch((error) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(failure.message).toBe(`${name()} ${message}`)
    expect(asked.map(({ path }) => path)).toEqual(['/v1/audio/transcriptions'])
  })

  it('that is not there, or hangs up, has failed', async () => {
    const closed = 'http://127.0.0.1:2/'
    const file = write('a.wav', wav())
    await expect((await open({ url: closed })).transcribe(file, never())).rejects.toThrow('ECONNREFUSED')
    answer = (response) => response.socket?.destroy()
    await expect((await open({ url: url() })).transcribe(file, never())).rejects.toThrow(/other side closed/)
  })

  it('that says nothing is given up on abort, and when the time is up', async () => {
    answer = () => {}
    const file = write('a.wav', wav())
    const stopping = new AbortController()
    const hearing = (await open({ url: url() })).transcribe(file, stopping.signal)
    await eventually(async () => asked.length).toBe(1)
    stopping.abort(new Error('the server stops'))
    await expect(hearing).rejects.toThrow('the server stops')
    const limited = await open({ url: url() }, tools, { limitMs: 500 })
    await expect(limited.transcribe(file, never())).rejects.toThrow('no text within 0.5 s')
    await eventually(async () => hungUp).toBe(2)
  })

  it('that stops in the middle of its answer is given up too', async () => {
    answer = (response) => response.write('{"text":')
    const limited = await open({ url: url() }, tools, { limitMs: 100 })
    await expect(limited.transcribe(write('a.wav', wav()), never())).rejects.toThrow('no text within 0.1 s')
  })
})

describe('a command', () => {
  it('gets the file as its last argument, and what it prints becomes one line', async () => {
    const transcriber = await command(`printf '%s\\n\\n  %s  \\r\\n' "two words"`)
    const file = write('a.ogg', 'x')
    expect(await transcriber.transcribe(file, never())).toBe(`two words ${file}`)
  })

  it.each(['with space.ogg', `"; echo 'harm' $(echo harm) \`id\` \\.ogg`, '-n', 'a\nb', 'ü 🎤.ogg'])(
    'can be given a file named %j',
    async (name) => {
      const transcriber = await command('cat')
      expect(await transcriber.transcribe(write(name, 'what it holds'), never())).toBe('what it holds')
    },
  )

  it('may print what is no UTF-8, or NUL', async () => {
    const transcriber = await command('cat')
    const file = write('a', Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff, 0x00, 0x62, 0xc3, 0x0a, 0xe2, 0x82]))
    expect(await transcriber.transcribe(file, never())).toBe('a\uFFFDb\uFFFD \uFFFD')
  })

  it('that fails is reported with its exit code and its last output', async () => {
    const file = write('a', '')
    const failing = async (line: string) => (await command(line)).transcribe(file, never())
    await expect(failing('echo text; exit 3;')).rejects.toThrow(
      new Error('TRANSCRIPTION_COMMAND failed with exit code 3'),
    )
    await expect(failing(`printf 'loading\\n\\033[31mno model\\n\\n' >&2; exit 4;`)).rejects.toThrow(
      new Error('TRANSCRIPTION_COMMAND failed with exit code 4: [31mno model'),
    )
    await expect(failing('kill -s SEGV $$;')).rejects.toThrow('TRANSCRIPTION_COMMAND was ended by SIGSEGV')
    await expect(failing('no-such-program')).rejects.toThrow(/exit code 127: .*no-such-program.*not found/)
  })

  it('says only so much before it is stopped', async () => {
    const endless = (await command('cat /dev/zero')).transcribe(write('a', ''), never())
    await expect(endless).rejects.toThrow('TRANSCRIPTION_COMMAND printed more than 10485760 bytes')
    const loud = (await command('cat /dev/zero >&2 & sleep 0.2; exit 5;')).transcribe(write('a', ''), never())
    await expect(loud).rejects.toThrow(new Error('TRANSCRIPTION_COMMAND failed with exit code 5'))
  })

  it('does not see the secrets of the server', async () => {
    const secrets = [
      'SECRET_KEY',
      'DATABASE_URL',
      'SMTP_URL',
      'S3_SECRET_ACCESS_KEY',
      'TRANSCRIPTION_API_KEY',
    ]
    for (const name of [...secrets, 'AWS_SECRET_ACCESS_KEY', 'NEXT_SECRET']) vi.stubEnv(name, 'very secret')
    vi.stubEnv('LC_ALL', 'C.UTF-8')
    vi.stubEnv('HOME', '/home/ada')
    const seen = await (await command('env; true')).transcribe(write('a', ''), never())
    expect(seen).not.toContain('very secret')
    expect(seen).toContain(`PATH=${tools}`)
    expect(seen).toContain('LC_ALL=C.UTF-8')
    expect(seen).toContain('HOME=/home/ada')
  })

  /** Starts children, one of them in the background, and writes down who they are. */
  const family = () => {
    const pids = join(folder, 'pids')
    return { line: `echo $$ >${pids}; sleep 60 & echo $! >>${pids}; sleep 60 | sleep 60;`, pids }
  }
  async function pidsIn(file: string): Promise<number[]> {
    await eventually(() => readFile(file, 'utf8').catch(() => '')).toMatch(/^\d+\n\d+\n$/)
    return (await readFile(file, 'utf8')).trim().split('\n').map(Number)
  }
  async function expectGone([leader = 0, ...others]: number[]): Promise<void> {
    expect(leader).toBeGreaterThan(1)
    for (const pid of [leader, ...others]) await eventually(() => isRunning(pid)).toBe(false)
    await eventually(() => groupOf(leader)).toEqual([])
  }
  /** Processes of a group; those that have ended, but were not buried by their new parent yet, do not count. */
  async function groupOf(leader: number): Promise<string[]> {
    const { stdout } = await execute('ps', ['-A', '-o', 'pgid=', '-o', 'stat=', '-o', 'args='])
    return stdout.split('\n').filter((line) => new RegExp(`^ *${leader} +[^Z ]`).test(line))
  }

  it('is killed on abort, with all its children', async () => {
    const { line, pids } = family()
    const stopping = new AbortController()
    const hearing = (await command(line)).transcribe(write('a', ''), stopping.signal)
    const group = await pidsIn(pids)
    // The program, its three children and the guard.
    await eventually(() => groupOf(group[0] ?? 0)).toHaveLength(5)
    stopping.abort(new Error('the server stops'))
    await expect(hearing).rejects.toThrow('the server stops')
    await expectGone(group)
  })

  it('is killed when its time is up', async () => {
    const { line, pids } = family()
    const hearing = (await command(line, { limitMs: 1000 })).transcribe(write('a', ''), never())
    await expect(hearing).rejects.toThrow('no text within 1 s')
    await expectGone(await pidsIn(pids))
  })

  it('leaves no process behind when it ends', async () => {
    const pids = join(folder, 'pids')
    const transcriber = await command(`echo $$ >${pids}; sleep 60 & echo $! >>${pids}; echo done; true`)
    expect(await transcriber.transcribe(write('a', ''), never())).toBe('done')
    await expectGone(await pidsIn(pids))
  })

  it('is not started for what was already aborted', async () => {
    const mark = join(folder, 'mark')
    const hearing = (await command(`echo >${mark};`)).transcribe(
      write('a', ''),
      AbortSignal.abort(new Error('late')),
    )
    await expect(hearing).rejects.toThrow('late')
    expect(await readdir(folder)).toEqual(['a'])
  })

  it('does not survive a server that is killed with -9', async () => {
    const { line, pids } = family()
    const bundle = await rolldown({
      input: 'server/files/voice/transcriber.ts',
      platform: 'node',
      external: ['undici'],
    })
    await bundle.write({ file: join(folder, 'transcriber.mjs'), format: 'esm' })
    await bundle.close()
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'))
    const settings = JSON.stringify({ model: '', command: line })
    const main = `import { openTranscriber } from './transcriber.mjs'
      const transcriber = await openTranscriber(${settings}, ${JSON.stringify(tools)})
      await transcriber.transcribe('/dev/null', new AbortController().signal)`
    const server = spawn(process.execPath, [write('main.mjs', main)], { stdio: 'inherit' })
    const group = await pidsIn(pids)
    server.kill('SIGKILL')
    await once(server, 'exit')
    await expectGone(group)
  })
})

describe.skipIf(MISSING_FOR_CONVERSION.length > 0)(`ffmpeg${because(MISSING_FOR_CONVERSION)}`, () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'temporary'))
    vi.stubEnv('TMPDIR', join(folder, 'temporary'))
  })
  const left = () => readdir(join(folder, 'temporary'))
  const withFfmpeg = (line: string) => open({ command: line }, process.env.PATH)

  it('makes 16 kHz mono of what there is, in a folder of its own that is gone afterwards', async () => {
    const heard = join(folder, 'heard.wav')
    const transcriber = await withFfmpeg(`copy() { cp "$1" ${heard}; ls -ld "\${1%/*}"; }; copy`)
    const stereo = write('voice: of "Ada" %d.ogg', wav({ rate: 44_100, channels: 2, seconds: 0.5 }))
    expect(await transcriber.transcribe(stereo, never())).toMatch(/^drwx------.* .*\/parley-voice-/)
    const header = (await readFile(heard)).subarray(0, 44)
    expect(header.subarray(12, 40)).toEqual(wav().subarray(12, 40))
    expect(header.readUInt32LE(40)).toBe(16_000)
    expect(await left()).toEqual([])
  })

  it('its folder is gone too when it, or the engine, fails or is stopped', async () => {
    const sound = write('a.wav', wav())
    const failing = await withFfmpeg('exit 7;')
    await expect(failing.transcribe(sound, never())).rejects.toThrow(
      'TRANSCRIPTION_COMMAND failed with exit code 7',
    )
    const noise = write('b.mp3', 'this is no sound')
    await expect(failing.transcribe(noise, never())).rejects.toThrow(
      /^ffmpeg failed with exit code 1: .*b\.mp3/,
    )
    const stopping = new AbortController()
    const hearing = (await withFfmpeg(`echo >${folder}/begun; sleep 60;`)).transcribe(sound, stopping.signal)
    await eventually(() => readdir(folder)).toContain('begun')
    stopping.abort(new Error('the server stops'))
    await expect(hearing).rejects.toThrow('the server stops')
    expect(await left()).toEqual([])
  })

  const LISTS: [string, (target: string) => string][] = [
    [
      'hls',
      (target) =>
        `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
    ],
    ['concat', (target) => `ffconcat version 1.0\nfile ${target.split('/').at(-1)}\n`],
    [
      'dash',
      (target) => `<?xml version="1.0"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011">
<Period><AdaptationSet mimeType="audio/wav"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    ],
    ['sdp', () => 'v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio 5004 RTP/AVP 0\n'],
  ]
  it.each(LISTS)('opens nothing that a list names: %s', async (_format, list) => {
    write('other.wav', wav({ seconds: 1 }))
    const transcriber = await withFfmpeg(`echo >${folder}/heard; true`)
    for (const name of ['voice.mp3', 'voice.m3u8', 'voice.mpd', 'voice']) {
      const hearing = transcriber.transcribe(write(name, list(join(folder, 'other.wav'))), never())
      await expect(hearing).rejects.toThrow(/^ffmpeg failed with exit code \d+: .*voice/)
    }
    expect(await readdir(folder)).not.toContain('heard')
  })
})

describe.skipIf(MISSING_FOR_SPEECH.length > 0)(`real speech${because(MISSING_FOR_SPEECH)}`, () => {
  it.each(['wav', 'opus', 'mp3', 'm4a', 'webm'])('is understood by pocketsphinx: %s', async (format) => {
    const bin = programs({})
    for (const name of ['ffmpeg', 'pocketsphinx_continuous']) {
      symlinkSync((await findProgram(name, process.env.PATH)) ?? '', join(bin, name))
    }
    const file = join(folder, `spoken.${format}`)
    await speak(file)
    const transcriber = await open({}, bin)
    expect(transcriber.name).toBe('pocketsphinx_continuous')
    const words = (await transcriber.transcribe(file, never())).split(' ')
    expect(words).toEqual(expect.arrayContaining(SPOKEN_WORDS))
  })
})
