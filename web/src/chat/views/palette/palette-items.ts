import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import type { LucideIcon } from '../../../kit/icon.tsx'
import type { ChatState } from '../../model.ts'
import { nameOf } from '../../store/selectors.ts'
import { plain } from '../conversation/composer/completion.ts'

export type PaletteItem =
  | { kind: 'topic'; id: string; name: string; topic: ChatTopic }
  | { kind: 'member'; id: string; name: string; member: ChatMember }
  | { kind: 'open-topic'; id: string; name: string; topic: ChatTopic }
  | { kind: 'action'; id: string; name: string; icon: LucideIcon; run: () => void; keys?: string }

const MAX_FOUND = 12
const MAX_RECENT = 7

/**
 * How well a name fits what was typed; undefined where it does not. Best is the beginning of the name, then the beginning of
 * a word, then anywhere, then the letters in their order.
 */
export function scoreOf(name: string, typed: string): number | undefined {
  const [hay, needle] = [plain(name), plain(typed.trim())]
  if (needle === '') return 0
  if (hay === needle) return 5
  if (hay.startsWith(needle)) return 4
  const at = hay.indexOf(needle)
  if (at > 0 && !/[\p{L}\p{N}]/u.test(hay[at - 1] ?? '')) return 3
  if (at >= 0) return 2
  let from = 0
  for (const letter of needle.replaceAll(' ', '')) {
    from = hay.indexOf(letter, from) + 1
    if (from === 0) return undefined
  }
  return 1
}

/** Conversations and members by how well they fit; among equals, the most recently open comes first. */
export function findItems(
  state: ChatState,
  typed: string,
  recent: readonly string[],
  found: readonly ChatMember[] = [],
): PaletteItem[] {
  const mine = [...state.topics.values()].filter(({ isMember }) => isMember)
  const topics = mine.map((topic): PaletteItem => {
    return { kind: 'topic', id: topic.id, name: nameOf(state, topic), topic }
  })
  const direct = new Set(
    mine
      .filter(({ type, memberCount }) => type === 'dm' && memberCount === 2)
      .flatMap((one) => one.memberIds),
  )
  // Members with a direct message are found by that conversation.
  const known = new Map([...state.members, ...found.map((member) => [member.id, member] as const)])
  const members = [...known.values()]
    .filter(({ id, status }) => status === 'Active' && id !== state.me?.id && !direct.has(id))
    .map((member): PaletteItem => ({ kind: 'member', id: member.id, name: member.name, member }))
  const rankOf = ({ id }: PaletteItem): number => {
    const place = recent.indexOf(id)
    return place < 0 ? recent.length : place
  }
  return [...topics, ...members]
    .flatMap((item) => {
      const score = scoreOf(item.name, typed)
      return score === undefined ? [] : [{ item, score: score - (isQuiet(item) ? 0.5 : 0) }]
    })
    .sort(
      (one, other) =>
        other.score - one.score ||
        rankOf(one.item) - rankOf(other.item) ||
        one.item.name.localeCompare(other.item.name),
    )
    .slice(0, MAX_FOUND)
    .map(({ item }) => item)
}

const isQuiet = (item: PaletteItem): boolean =>
  item.kind === 'topic' && (item.topic.muted || item.topic.archivedAt !== null)

/** Items offered before anything is typed: recent places without the current one, and unread ones. */
export function recentItems(
  state: ChatState,
  recent: readonly string[],
  here: string | undefined,
): PaletteItem[] {
  const unread = [...state.topics.values()].filter(({ unread: count, muted }) => count > 0 && !muted)
  const ids = [...new Set([...recent, ...unread.map(({ id }) => id), ...state.topics.keys()])]
  return ids
    .filter((id) => id !== here)
    .flatMap((id): PaletteItem[] => {
      const topic = state.topics.get(id)
      return topic?.isMember ? [{ kind: 'topic', id, name: nameOf(state, topic), topic }] : []
    })
    .slice(0, MAX_RECENT)
}
