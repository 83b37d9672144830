import {
  claimingGif,
  claimingPng,
  HTML,
  JPEG,
  moving,
  PDF,
  PNG,
  plain,
  SVG,
  ZIP,
} from '../test/support/samples.ts'
import { silence } from '../test/support/wav.ts'
import type { Random } from './random.ts'

export type File = { name: string; type: string; content: Buffer }

const file = (name: string, type: string, content: Buffer | string): File => ({
  name,
  type,
  content: Buffer.from(content),
})

const WAV = silence(1).subarray(0, 8_000)

/** Ordinary files, all small. */
const HARMLESS: readonly File[] = [
  file('photo.png', 'image/png', PNG),
  file('photo.jpg', 'image/jpeg', JPEG),
  file('moving.gif', 'image/gif', await moving('gif')),
  file('picture.webp', 'image/webp', await plain().webp().toBuffer()),
  file('picture.avif', 'image/avif', await plain().avif({ effort: 0 }).toBuffer()),
  file('voice.wav', 'audio/wav', WAV),
  file('paper.pdf', 'application/pdf', PDF),
  file('things.zip', 'application/zip', ZIP),
  file('note.txt', 'text/plain', 'A note.'),
]

/** Files that are valid as a cover or logo. */
export const PICTURES: readonly File[] = HARMLESS.slice(0, 2)

/** Files with false types, polyglots, and lookalikes of media. */
const HOSTILE: readonly File[] = [
  file('empty.png', 'image/png', ''),
  file('one-byte.jpg', 'image/jpeg', '\xff'),
  file('large.png', 'image/png', claimingPng(60_000, 60_000)),
  file('larger.png', 'image/png', claimingPng(0x7fffffff, 0x7fffffff)),
  file('nothing.png', 'image/png', claimingPng(0, 0)),
  file('broken.png', 'image/png', claimingPng(300, 300)),
  file('stage.gif', 'image/gif', claimingGif(65_535, 65_535, 3)),
  file('frames.gif', 'image/gif', claimingGif(50, 50, 300)),
  file('page.png', 'image/png', HTML),
  file('page.html', 'image/png', Buffer.concat([PNG, Buffer.from(HTML)])),
  file('drawing.svg', 'image/svg+xml', SVG),
  file('polyglot.jpg', 'image/jpeg', Buffer.concat([JPEG, ZIP, PDF])),
  file('script.gif', 'image/gif', 'GIF89a/*;*/=alert(1)//'),
  file('claims.wav', 'audio/wav', Buffer.concat([WAV.subarray(0, 40), Buffer.from('ffffffff', 'hex')])),
  file('song.mp3', 'audio/mpeg', Buffer.concat([Buffer.from('fffb9000', 'hex'), Buffer.alloc(400)])),
  file('tags.mp3', 'audio/mpeg', Buffer.from('49443304000f7f7f7f7f5449543200000fff0000', 'hex')),
  file('sound.ogg', 'audio/ogg', Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(60, 0xff)])),
  file(
    'film.mp4',
    'video/mp4',
    Buffer.from('000000186674797069736660000020069736f6d69736f32ffffffff6d6f6f76', 'hex'),
  ),
  file(
    'loop.mp4',
    'video/mp4',
    Buffer.from('000000186674797069736f6d0000020069736f6d69736f32000000006d6f6f76', 'hex'),
  ),
  file('film.webm', 'video/webm', Buffer.from('1a45dfa3ffffffffffffffff', 'hex')),
  file('picture.webp', 'image/webp', Buffer.from('RIFF\xff\xff\xff\xffWEBPVP8X\xff\xff\xff\xff', 'latin1')),
  file(
    'picture.avif',
    'image/avif',
    Buffer.from('000000206674797061766966000000006d6966316d696166ffffffff6d657461', 'hex'),
  ),
  file('picture.tiff', 'image/tiff', Buffer.from('49492a00ffffffff', 'hex')),
]

const HOSTILE_NAMES: readonly string[] = [
  '../../../../etc/passwd',
  '..\\..\\windows\\system32',
  '/etc/passwd',
  '.',
  '..',
  '',
  'con',
  'a'.repeat(300),
  'name\0.png',
  'na\tme.png',
  '\u202egnp.exe',
  '%2e%2e%2f',
  '\u{1f600}.png',
  'Größe.png',
  "'; rm -rf / #.png",
  '<img src=x>.png',
  'a%0d%0aX-Injected: 1.png',
]

export function harmlessFile(random: Random, files: readonly File[] = HARMLESS): File {
  return random.pick(files)
}

export function hostileFile(random: Random): File {
  const chosen = random.pick(random.chance(0.6) ? HOSTILE : HARMLESS)
  const name = random.chance(0.4) ? random.pick(HOSTILE_NAMES) : chosen.name
  return { ...chosen, name, content: random.chance(0.3) ? damaged(chosen.content, random) : chosen.content }
}

/** Truncates the content, or changes one byte. */
function damaged(content: Buffer, random: Random): Buffer {
  const place = random.integer(0, content.length)
  if (random.chance(0.5) || place === content.length) return content.subarray(0, place)
  const changed = Buffer.from(content)
  changed[place] = random.integer(0, 255)
  return changed
}
