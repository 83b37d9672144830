import { RadioTower, Users } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import { argumentAfter } from '../../../../../../contract/command-arguments.ts'
import type { TopicCommand } from '../../../../../../contract/commands.ts'
import { EVERYONE, HERE } from '../../../../../../contract/group-mentions.ts'
import type { Group } from '../../../../../../contract/groups.ts'
import type { ChatMember } from '../../../../../../contract/people/chat-records.ts'
import { Face, TopicMark } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { MemberChip } from '../../../../kit/marks.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { groupTexts } from '../../../../texts/groups.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useFoundMembers } from '../../../store/found-members.ts'
import { useFoundGroups } from '../../frame/found-groups.ts'
import { EmojiText } from '../emoji/custom.tsx'
import type { Emoji } from '../emoji/data.ts'
import { useSnapshot } from '../snapshot.ts'
import { type ArgumentQuery, findNames, plain, type Query } from './completion.ts'
import type { OwnCommand } from './own-commands.ts'
import styles from './suggestions.module.css'
import { type Picked, topicLink } from './written.ts'

const SHOWN = 8

/** A replacement for the query: something picked, or plain characters. */
export type Suggestion =
  | { kind: 'member'; key: string; member: ChatMember; picked: Picked }
  | {
      kind: 'topic'
      key: string
      topic: { id: string; name: string; labelId: string | null }
      picked: Picked
    }
  | { kind: 'group'; key: string; tag: string; group: Group | undefined; picked: Picked }
  | { kind: 'emoji'; key: string; emoji: Emoji }
  | { kind: 'command'; key: string; command: TopicCommand; picked: Picked }
  | { kind: 'own'; key: string; command: OwnCommand }
  | { kind: 'value'; key: string; text: string; label: string; note?: string }

type FindEmoji = (pictures: ReadonlyMap<string, string>, typed: string) => Emoji[]

/** Suggestions that fit the query now. Members of the topic come first: only they can be mentioned there. */
export function useSuggestions(
  topicId: string,
  query: Query | undefined,
  ownCommands: readonly OwnCommand[],
): Suggestion[] {
  const language = useContext(LanguageContext)
  const snapshot = useSnapshot()
  const memberIds = useChat((state) => state.topics.get(topicId)?.memberIds)
  const [find, setFind] = useState<FindEmoji>()
  const commands = useCommands(topicId, query?.sign === '/' && topicId !== '')
  const found = useFoundMembers(query?.sign === '@', {
    search: query?.sign === '@' ? query.typed : '',
    ...(topicId !== '' && { near: topicId }),
  })
  const groups = useFoundGroups(query?.sign === '@' && topicId !== '', query?.typed ?? '')
  const showsPresence = useChat(({ organization }) => organization?.showPresence === true)
  const wantsEmoji = query?.sign === ':'
  useEffect(() => {
    if (!wantsEmoji) return
    void import('../emoji/data.ts').then(
      async ({ loadEmoji, findEmoji, customEmoji }) => {
        const all = await loadEmoji(language)
        const found: FindEmoji = (pictures, typed) =>
          findEmoji([...customEmoji(pictures), ...all], typed, SHOWN)
        setFind(() => found)
      },
      () => {},
    ) // the codes stay what they are
  }, [wantsEmoji, language])

  if (!query) return []
  const { members, topics, me, emoji } = snapshot()
  if (query.sign === '/') {
    const fitting = commands.filter(({ name }) => name.startsWith(query.typed)).slice(0, SHOWN)
    const own = ownCommands.filter(({ name }) => name.startsWith(query.typed))
    const ofBots = fitting.map((command): Suggestion => {
      const { name, botId } = command
      // A command that several have mentions the bot that is meant.
      const isShared =
        ownCommands.some((other) => other.name === name) ||
        commands.some((other) => other.name === name && other.botId !== botId)
      const label = isShared ? `/${name} @${members.get(botId)?.name}` : `/${name}`
      const wire = isShared ? `/${name} <@${botId}>` : `/${name}`
      return { kind: 'command', key: `${name} ${botId}`, command, picked: { label, wire } }
    })
    return [...own.map((command): Suggestion => ({ kind: 'own', key: command.name, command })), ...ofBots]
  }
  if (query.sign === '@') {
    const near = new Set(memberIds)
    const all = found ? new Map([...found.map((one) => [one.id, one] as const), ...members]) : members
    const active = [...all.values()].filter(({ id, status }) => status === 'Active' && id !== me?.id)
    const people = findNames(active, query.typed, SHOWN, ({ id }) => near.has(id)).map(
      (member): Suggestion => ({
        kind: 'member',
        key: member.id,
        member,
        picked: { label: `@${member.name}`, wire: `<@${member.id}>` },
      }),
    )
    if (topicId === '') return people
    const words = [EVERYONE, ...(showsPresence ? [HERE] : [])].filter((word) =>
      word.startsWith(query.typed.toLowerCase()),
    )
    return [
      ...people,
      ...words.map((word) => groupSuggestion(word, undefined)),
      ...groups.map((group) => groupSuggestion(group.tag, group)),
    ]
  }
  if (query.sign === '#') {
    const listed = [...topics.values()].filter(({ type }) => type === 'topic')
    return findNames(listed, query.typed, SHOWN).map((topic) => ({
      kind: 'topic',
      key: topic.id,
      topic,
      picked: topicLink(topic, window.location.origin),
    }))
  }
  return (find?.(emoji, query.typed) ?? []).map((emoji) => ({
    kind: 'emoji',
    key: emoji.emoji,
    emoji,
  }))
}

/** Suggestions for the argument that is being written, if its command says what it can be. */
export function useArgumentSuggestions(
  topicId: string,
  query: ArgumentQuery | undefined,
  encoded: (text: string) => string,
): Suggestion[] {
  const t = useTexts(composerTexts)
  const snapshot = useSnapshot()
  const memberIds = useChat((state) => state.topics.get(topicId)?.memberIds)
  const commands = useCommands(topicId, query !== undefined && topicId !== '')
  const known = query && commands.filter(({ name }) => name === query.command)
  // Behind a command that several bots have stands the bot that is meant.
  const before = query ? encoded(query.before) : ''
  const [mention, botId] = /^\s*<@(b@[0-9a-f-]{36})>\s*/i.exec(before) ?? []
  const command = known?.find((one) => botId === undefined || one.botId === botId)
  if (!query || !command) return []
  const argument = argumentAfter(before.slice(mention?.length ?? 0), command.arguments)
  if (!argument) return []
  const { members, topics, me } = snapshot()
  const { typed } = query
  switch (argument.type) {
    case 'choice':
      return (argument.options ?? [])
        .filter((option) => plain(option).startsWith(plain(typed)) && option !== typed)
        .slice(0, SHOWN)
        .map((option) => ({
          kind: 'value',
          key: option,
          text: /\s/.test(option) ? `"${option}"` : option,
          label: option,
        }))
    case 'date':
      return [
        { text: dayIn(0), label: t.today },
        { text: dayIn(1), label: t.tomorrow },
        { text: dayIn(7), label: t.inAWeek },
      ]
        .filter(
          ({ text, label }) =>
            text !== typed && (text.startsWith(typed) || plain(label).startsWith(plain(typed))),
        )
        .map(({ text, label }) => ({ kind: 'value', key: text, text, label, note: text }))
    case 'person': {
      const near = new Set(memberIds)
      const people = [...members.values()].filter(
        ({ id, status, type }) => status === 'Active' && type === 'user' && (near.has(id) || id === me?.id),
      )
      return findNames(people, typed.replace(/^@/, ''), SHOWN).map((member) => ({
        kind: 'member',
        key: member.id,
        member,
        picked: { label: `@${member.name}`, wire: `<@${member.id}>` },
      }))
    }
    case 'topic': {
      const listed = [...topics.values()].filter(({ type }) => type === 'topic')
      return findNames(listed, typed.replace(/^#/, ''), SHOWN).map((topic) => ({
        kind: 'topic',
        key: topic.id,
        topic,
        picked: topicLink(topic, window.location.origin),
      }))
    }
    default:
      return []
  }
}

/** The day in so many days, as commands take it. */
function dayIn(days: number): string {
  const day = new Date()
  day.setDate(day.getDate() + days)
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()]
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')
}

const groupSuggestion = (tag: string, group: Group | undefined): Suggestion => ({
  kind: 'group',
  key: group?.id ?? tag,
  tag,
  group,
  picked: { label: `@${tag}`, wire: `<@${tag}>` },
})

/** Commands of the topic's bots, read at the first slash. */
function useCommands(topicId: string, isWanted: boolean): readonly TopicCommand[] {
  const { listCommands } = useChatActions()
  const [commands, setCommands] = useState<readonly TopicCommand[]>([])
  useEffect(() => {
    if (!isWanted) return
    let isCurrent = true
    listCommands(topicId).then(
      (read) => isCurrent && setCommands(read),
      () => {}, // without them it can still be typed
    )
    return () => {
      isCurrent = false
    }
  }, [isWanted, topicId, listCommands])
  return commands
}

/** The field keeps the focus and has the keys; this only shows what it would take. */
export function SuggestionList({
  id,
  title,
  suggestions,
  active,
  onPick,
}: {
  id: string
  title: string
  suggestions: readonly Suggestion[]
  active: number
  onPick: (suggestion: Suggestion) => void
}) {
  const t = useTexts(composerTexts)
  return (
    <div className={styles.popup}>
      <div className={styles.title} aria-hidden>
        {title}
      </div>
      <div id={id} role="listbox" aria-label={t.suggestions} className={styles.list}>
        {suggestions.map((suggestion, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={suggestion.key}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => onPick(suggestion)}
          >
            <SuggestionView suggestion={suggestion} />
          </div>
        ))}
      </div>
    </div>
  )
}

function SuggestionView({ suggestion }: { suggestion: Suggestion }) {
  const isOnline = useChat((state) => suggestion.kind === 'member' && state.online?.has(suggestion.member.id))
  if (suggestion.kind === 'member') {
    const { member } = suggestion
    return (
      <>
        <Face member={member} size={24} presence={isOnline ? 'here' : undefined} />
        <bdi className={styles.name}>{member.name}</bdi>
        <MemberChip {...member} />
        <span className={styles.note}>{member.email}</span>
      </>
    )
  }
  if (suggestion.kind === 'group') return <GroupView suggestion={suggestion} />
  if (suggestion.kind === 'topic') {
    return (
      <>
        <TopicMark topic={suggestion.topic} size={22} />
        <bdi className={styles.name}>{suggestion.topic.name}</bdi>
      </>
    )
  }
  if (suggestion.kind === 'command') return <CommandView command={suggestion.command} />
  if (suggestion.kind === 'own')
    return (
      <>
        <span className={styles.name}>/{suggestion.command.name}</span>
        <span className={styles.note}>{suggestion.command.description}</span>
      </>
    )
  if (suggestion.kind === 'value')
    return (
      <>
        <bdi className={styles.name}>{suggestion.label}</bdi>
        {suggestion.note !== undefined && <span className={styles.note}>{suggestion.note}</span>}
      </>
    )
  return (
    <>
      <span className={styles.emoji}>
        <EmojiText text={suggestion.emoji.emoji} />
      </span>
      <span className={styles.name}>{suggestion.emoji.label}</span>
      <span className={styles.note}>:{suggestion.emoji.code}:</span>
    </>
  )
}

function GroupView({ suggestion: { tag, group } }: { suggestion: Suggestion & { kind: 'group' } }) {
  const t = useTexts(groupTexts)
  return (
    <>
      <Icon icon={tag === HERE && !group ? RadioTower : Users} size={18} />
      <bdi className={styles.name}>@{tag}</bdi>
      <span className={styles.note}>
        {group ? `${group.name} · ${t.members(group.memberCount)}` : tag === HERE ? t.here : t.everyone}
      </span>
    </>
  )
}

function CommandView({ command }: { command: TopicCommand }) {
  const bot = useChat((state) => state.members.get(command.botId)?.name ?? '')
  const taken = command.arguments.map(({ name }) => `[${name}]`)
  return (
    <>
      <span className={styles.name}>{[`/${command.name}`, ...taken].join(' ')}</span>
      <span dir="auto" className={styles.note}>
        {command.description} · {bot}
      </span>
    </>
  )
}
