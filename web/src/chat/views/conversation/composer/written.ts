import { EVERYONE, HERE } from '../../../../../../contract/group-mentions.ts'

/**
 * A text as it is written, and what was picked from lists in it: "@Ada Okafor" is sent as `<@id>`, "#General" as a link to the
 * topic. People see names while they write; others get ids, which names do not change.
 */
export type Picked = { label: string; wire: string }
export type Written = { text: string; picks: readonly Picked[] }

export const NOTHING: Written = { text: '', picks: [] }

type Named = { id: string; name: string }

const MENTION = /<@((?:b@)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi
const GROUP_WORD = /<@([^\s@<>]{1,64})>/gu
const GROUP_WORD_ALONE = /<@[^\s@<>]{1,64}>/u
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** A letter or digit after it would make it another name. */
const ENDS = '(?![\\p{L}\\p{N}])'

/** Encodes the text to send: picks become their wire form, and so do names typed in full that only one member has. */
export function encode({ text, picks }: Written, members: Iterable<Named> = []): string {
  const wires = new Map(picks.map(({ label, wire }) => [label, wire]))
  if (text.includes('@'))
    for (const { label, wire } of typedNames(text, members)) if (!wires.has(label)) wires.set(label, wire)
  if (wires.size === 0) return text
  const labels = [...wires.keys()].sort((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?:${labels.map(escaped).join('|')})${ENDS}`, 'gu')
  return text.replace(pattern, (label) => wires.get(label) ?? label)
}

function typedNames(text: string, members: Iterable<Named>): Picked[] {
  const found = new Map<string, string | undefined>()
  for (const { id, name } of members) {
    const label = `@${name}`
    if (text.includes(label)) found.set(label, found.has(label) ? undefined : `<@${id}>`)
  }
  return [...found].flatMap(([label, wire]) => (wire === undefined ? [] : [{ label, wire }]))
}

/** Turns a stored text into a written one, for drafts and edits. */
export function decode(
  wire: string,
  nameOf: (profileId: string) => string | undefined,
  topicLinks: readonly Picked[] = [],
): Written {
  let written: Written = { text: '', picks: [] }
  const parts = wire.split(MENTION)
  let text = ''
  parts.forEach((part, index) => {
    const name = index % 2 === 1 ? nameOf(part) : undefined
    if (index % 2 === 0) text += part
    else if (name === undefined) text += `<@${part}>`
    else {
      const picked = pick(written, `@${name}`, `<@${part}>`)
      written = { text: '', picks: picked.picks }
      text += picked.label
    }
  })
  let { picks } = written
  text = text.replace(GROUP_WORD, (wire, word: string) => {
    if (wire.match(MENTION)) return wire
    const picked = pick({ picks }, `@${word}`, wire)
    picks = picked.picks
    return picked.label
  })
  for (const link of topicLinks) {
    if (!text.includes(link.wire)) continue
    text = text.replaceAll(link.wire, link.label)
    picks = [...picks, link]
  }
  return { text, picks }
}

/** Words that mention people of a topic when they are typed in full, as names do. */
export const EVERYBODY: readonly Named[] = [EVERYONE, HERE].map((word) => ({ id: word, name: word }))

/** Whether a text as it is sent may mention groups. */
export const mayMentionGroups = (wire: string): boolean => GROUP_WORD_ALONE.test(wire.replace(MENTION, ''))

/** Adds a pick. A second member of the same name gets a number, so that the text says who is meant. */
export function pick(
  { picks }: Pick<Written, 'picks'>,
  label: string,
  wire: string,
): { label: string; picks: readonly Picked[] } {
  const known = picks.find((each) => each.wire === wire)
  if (known) return { label: known.label, picks }
  let free = label
  for (let number = 2; picks.some((each) => each.label === free); number += 1) free = `${label} (${number})`
  return { label: free, picks: [...picks, { label: free, wire }] }
}

export const topicLink = (topic: Named, origin: string): Picked => ({
  label: `#${topic.name}`,
  wire: `[#${topic.name.replace(/[\\[\]]/g, '\\$&')}](${origin}/t/${topic.id})`,
})

/** Lengths are counted as the server does, in code points. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _character of text) length += 1
  return length
}
