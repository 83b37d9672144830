import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { listBots } from '../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../contract/people/members.ts'
import type { listConsoleTopics } from '../../../../contract/people/topics.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { organizationPath } from '../../chat/views/addresses.ts'
import { scoreOf } from '../../chat/views/palette/palette-items.ts'
import { Face, TopicMark } from '../../kit/face.tsx'
import { Icon } from '../../kit/icon.tsx'
import { BotChip } from '../../kit/marks.tsx'
import { Palette, PaletteRow } from '../../kit/palette.tsx'
import { common } from '../../texts/common.ts'
import { consoleTexts } from '../../texts/console.ts'
import { shellPlaces } from '../../texts/shell-places.ts'
import { useTexts } from '../../texts/texts.ts'
import { useBotPath } from './bots/bot-data.ts'
import { useRested } from './changes.ts'
import { PLACES } from './console-sidebar.tsx'

/** Matches of each kind that the server is asked for. */
const MAX_FOUND = 5

type Item = { kind: string; id: string; name: string; to: string; mark: ReactNode; note: string }

/** The chat's palette over the console: its places, and members, bots and topics, which the server finds. */
export default function ConsolePalette({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellPlaces).palette
  const c = useTexts(common)
  const n = useTexts(consoleTexts)
  const [typed, setTyped] = useState('')
  const [, navigate] = useLocation()
  const places = usePlaces(typed)
  const found = useFound(useRested(typed.trim()))
  return (
    <Palette
      label={n.findInConsole}
      groups={[
        { value: t.goTo, items: places },
        { value: c.found, items: found },
      ].filter(({ items }) => items.length > 0)}
      typed={typed}
      onTyped={setTyped}
      row={({ kind, mark, name, note }) => (
        <PaletteRow mark={mark} name={name} chips={kind === 'bot' && <BotChip />} note={note} />
      )}
      onChoose={({ to }) => {
        onClose()
        navigate(to)
      }}
      onClose={onClose}
    />
  )
}

function usePlaces(typed: string): Item[] {
  const c = useTexts(common)
  const n = useTexts(consoleTexts)
  const { organizationId } = useMembership()
  const all: Item[] = PLACES.map(([path, nav, icon]) => ({
    kind: 'place',
    id: nav,
    name: n.nav[nav],
    to: `/console/${organizationId}${path}`,
    mark: <Icon icon={icon} size={18} />,
    note: c.console,
  }))
  all.push({
    kind: 'place',
    id: 'chat',
    name: n.backToChat,
    to: organizationPath(organizationId),
    mark: <Icon icon={ArrowLeft} size={18} />,
    note: '',
  })
  return all.filter(({ name }) => scoreOf(name, typed) !== undefined)
}

function useFound(search: string): Item[] {
  const t = useTexts(shellPlaces).palette
  const { organizationId } = useMembership()
  const botPath = useBotPath()
  const base = `/console/${organizationId}`
  const query = useQuery({
    queryKey: keys.of(organizationId, 'member', 'palette', search),
    queryFn: async () => {
      const input = { params: { organizationId }, query: { search, limit: MAX_FOUND } }
      const [{ members }, { bots }, { topics }] = await Promise.all([
        call<typeof listPeople>('GET', '/people/organizations/{organizationId}/members', input),
        call<typeof listBots>('GET', '/people/organizations/{organizationId}/bots', input),
        call<typeof listConsoleTopics>('GET', '/people/organizations/{organizationId}/topics', input),
      ])
      return { members, bots, topics }
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  if (search === '' || !query.data) return []
  const { members, bots, topics } = query.data
  return [
    ...members.map(({ id, name, email }) => ({
      kind: 'member',
      id,
      name,
      to: `${base}/members?q=${encodeURIComponent(email)}`,
      mark: <Face member={{ id, name, type: 'user' }} size={24} />,
      note: t.person,
    })),
    ...bots.map(({ id, name, photoId }) => ({
      kind: 'bot',
      id,
      name,
      to: botPath(id),
      mark: <Face member={{ id, name, photoId, type: 'bot' }} size={24} />,
      note: '',
    })),
    ...topics.map((topic) => ({
      kind: 'topic',
      id: topic.id,
      name: topic.name,
      to: `${base}/topics/${topic.id}`,
      mark: <TopicMark topic={topic} size={24} />,
      note: t.topic,
    })),
  ]
}
