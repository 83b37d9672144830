import type { ReactNode } from 'react'
import { EMOJI_NAME_PATTERN } from '../../../../../../contract/custom-emoji.ts'
import { usePicture } from '../../../../kit/pictures.ts'
import { useChat } from '../../../store/context.tsx'
import styles from './custom.module.css'

const CUSTOM = new RegExp(`:(${EMOJI_NAME_PATTERN.slice(1, -1)}):`)

/** A text in which `:name:` of an emoji of the organization's own is its picture; every other text stays what it is. */
export function EmojiText({ text }: { text: string }): ReactNode {
  const pictures = useChat((state) => state.emoji)
  if (pictures.size === 0 || !CUSTOM.test(text)) return text
  return piecesOf(text, pictures).map((piece, index) =>
    'name' in piece ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text never move
      <CustomEmoji key={index} name={piece.name} pictureId={piece.pictureId} />
    ) : (
      piece.text
    ),
  )
}

type Piece = { text: string } | { name: string; pictureId: string }

export function piecesOf(text: string, pictures: ReadonlyMap<string, string>): Piece[] {
  const pieces: Piece[] = []
  let plain = ''
  let rest = text
  for (let found = CUSTOM.exec(rest); found; found = CUSTOM.exec(rest)) {
    const [whole, name = ''] = found
    const pictureId = pictures.get(name)
    if (pictureId === undefined) {
      // Its last colon may begin the next name, as in 10:30:parrot:
      const end = found.index + whole.length - 1
      plain += rest.slice(0, end)
      rest = rest.slice(end)
      continue
    }
    plain += rest.slice(0, found.index)
    if (plain !== '') pieces.push({ text: plain })
    pieces.push({ name, pictureId })
    plain = ''
    rest = rest.slice(found.index + whole.length)
  }
  return plain + rest === '' ? pieces : [...pieces, { text: plain + rest }]
}

function CustomEmoji({ name, pictureId }: { name: string; pictureId: string }) {
  const src = usePicture(pictureId)
  const written = `:${name}:`
  return src === undefined ? (
    written
  ) : (
    <img src={src} alt={written} title={written} className={styles.emoji} draggable={false} />
  )
}
