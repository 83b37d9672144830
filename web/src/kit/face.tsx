import type { CSSProperties } from 'react'
import { classes } from './classes.ts'
import styles from './face.module.css'
import { usePicture } from './pictures.ts'

/** Ten hues of one lightness and chroma, so that no face is louder than another. Letters reach 6.5:1 on each. */
const HUES = [25, 55, 85, 120, 155, 205, 240, 275, 315, 355]

/** The hue of a member, topic or label: from its id, so that it never changes. */
export function hueOf(id: string): number {
  let hash = 2166136261
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 16777619)
  return HUES[(hash >>> 0) % HUES.length] ?? 0
}

const firstLetter = (word: string | undefined): string =>
  word === undefined ? '' : String.fromCodePoint(word.codePointAt(0) ?? 32).toUpperCase()

/** First letters of the first and the last word, in the script of the name. */
export function initialsOf(name: string): string {
  const words = name.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = words.map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
  return firstLetter(letters[0]) + (letters.length > 1 ? firstLetter(letters.at(-1)) : '')
}

/** Given as custom properties, because both depend on data. */
const look = (id: string, size: number | 'message') =>
  ({
    '--d': size === 'message' ? 'var(--face)' : `${size}px`,
    '--hue': hueOf(id),
  }) as CSSProperties

/** There, not there, or not to be disturbed. */
export type Presence = 'here' | 'away' | 'dnd'

export type FaceOf = { id: string; name: string; type: 'user' | 'bot'; photoId?: string | undefined }

/**
 * The face of a member: a person is a disc, a bot a rounded square with eyes, which are open while it is connected. It stands
 * beside a name, or in something with a label, and says nothing itself.
 */
export function Face({
  member,
  size = 'message',
  presence,
}: {
  member: FaceOf
  size?: number | 'message'
  /** Drawn as a dot on people, as open or shut eyes on bots. Left out if unknown. */
  presence?: Presence | undefined
}) {
  const src = usePicture(member.photoId)
  const isBot = member.type === 'bot'
  return (
    <span
      className={classes(styles.face, isBot && styles.bot)}
      style={look(member.id, size)}
      aria-hidden
      data-face={member.type}
      data-letters={initialsOf(member.name)}
    >
      {src !== undefined && <img src={src} alt="" loading="lazy" className={styles.photo} />}
      {presence !== undefined && !isBot && (
        <i className={classes(styles.presence, presence !== 'here' && styles[presence])} />
      )}
      {isBot && presence !== undefined && <Eyes isShut={presence === 'away'} />}
    </span>
  )
}

function Eyes({ isShut }: { isShut: boolean }) {
  return (
    <i className={classes(styles.eyes, isShut && styles.shut)}>
      <svg viewBox="0 0 14 9" aria-hidden="true">
        <path d={isShut ? 'M3.4 4.9h2.3M8.3 4.9h2.3' : 'M4.5 3.3v2.4M9.5 3.3v2.4'} />
      </svg>
    </i>
  )
}

/** The mark of a topic: a bubble with the first letter of its name, or its cover. */
export function TopicMark({
  topic,
  size = 20,
}: {
  topic: { id: string; name: string; labelId?: string | null; coverId?: string | null }
  size?: number
}) {
  const src = usePicture(topic.coverId)
  return (
    <span
      className={styles.topic}
      style={look(topic.labelId ?? topic.id, size)}
      aria-hidden
      data-face="topic"
      data-letters={String.fromCodePoint(initialsOf(topic.name).codePointAt(0) ?? 35)}
    >
      {src !== undefined && <img src={src} alt="" loading="lazy" className={styles.photo} />}
    </span>
  )
}

const STACKED = 5

/** Faces over each other, in the order in which they came, five at most. */
export function FaceStack({
  members,
  size = 24,
  max = STACKED,
}: {
  members: readonly FaceOf[]
  size?: number
  max?: number
}) {
  return (
    <span className={styles.stack} aria-hidden>
      {members.slice(0, max).map((member) => (
        <Face key={member.id} member={member} size={size} />
      ))}
    </span>
  )
}
