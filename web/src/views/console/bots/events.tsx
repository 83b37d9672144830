import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { BotEvent, ConsoleBot, listBotEvents } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys, useWatch } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Badge, Button, Select } from '../../../ui/controls.tsx'
import { Code } from '../../../ui/copy.tsx'
import { named, Words } from '../../../ui/name.tsx'
import { Empty, Loaded } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { EVENT_TYPES } from './bot-data.ts'

const LOOK_AGAIN_MS = 2000
/** Read at a time, and kept at most. */
const READ = 100
const KEPT = 500

/** The newest events of a bot as they happen. */
export function EventsTab({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).events
  const words = useTexts(common)
  const [isPaused, setPaused] = useState(false)
  const [type, setType] = useState('')
  const query = useTail(bot.id, isPaused)
  useWatch(bot.id)
  return (
    <section className="card" aria-labelledby="bot-tail">
      <header>
        <div className="stack tight">
          <div className="row">
            <h2 id="bot-tail">{t.title}</h2>
            <span role="status">
              <Badge tone={isPaused ? 'warn' : 'good'}>{isPaused ? t.paused : t.following}</Badge>
            </span>
          </div>
          <p className="soft small">{t.about}</p>
        </div>
        <Button look="small" onClick={() => setPaused(!isPaused)}>
          {isPaused ? t.follow : t.pause}
        </Button>
      </header>
      <div className="filters">
        <Select
          label={t.type}
          options={[['', words.all], ...EVENT_TYPES.map((name) => [name, name] as const)]}
          value={type}
          onChange={setType}
        />
      </div>
      <Loaded query={query}>
        {(events) => {
          const shown = type === '' ? events : events.filter((event) => event.type === type)
          if (events.length === 0) return <Empty title={t.empty}>{t.emptyText}</Empty>
          if (shown.length === 0) return <p className="padded soft">{t.emptyFilter}</p>
          return (
            <ul className="tail">
              {shown.map((event) => (
                <li key={event.seq}>
                  <Event event={event} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}

/** Reads only what is newer than the newest that is already there. */
function useTail(botId: string, isPaused: boolean) {
  const { organizationId } = useMembership()
  const queries = useQueryClient()
  const queryKey = keys.of(organizationId, 'bot', botId, 'events')
  return useQuery({
    queryKey,
    queryFn: async () => {
      const before = queries.getQueryData<BotEvent[]>(queryKey) ?? []
      const newest = before[0]?.seq
      const { events } = await call<typeof listBotEvents>(
        'GET',
        '/people/organizations/{organizationId}/bots/{botId}/events',
        {
          params: { organizationId, botId },
          query: { limit: READ, ...(newest !== undefined && { after: newest }) },
        },
      )
      return events.length === 0 ? before : [...events, ...before].slice(0, KEPT)
    },
    enabled: !isPaused,
    refetchInterval: LOOK_AGAIN_MS,
    staleTime: 0,
  })
}

function Event({ event }: { event: BotEvent }) {
  const t = useTexts(texts).events
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="fold appear" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <strong className="mono">{event.type}</strong>
        <span className="soft small">
          <Time at={event.createdAt} />
        </span>
        <span className="preview soft small">
          <Words text={previewOf(event.data)} />
        </span>
      </summary>
      {isOpen && (
        <div className="stack tight">
          <p className="soft small">
            {t.number} {event.seq} · {t.id} <code className="breaks">{event.id}</code> ·{' '}
            <Time at={event.createdAt} exact />
          </p>
          <Code label={`${event.type} · ${t.data}`} text={JSON.stringify(event.data, null, 2)} />
        </div>
      )}
    </details>
  )
}

/** A message by its author and text, anything else by how its data begins. */
function previewOf(data: unknown): string {
  const { message }: { message?: unknown } = Object(data)
  const { senderName, text }: { senderName?: unknown; text?: unknown } = Object(message)
  if (typeof senderName === 'string' && typeof text === 'string' && text !== '')
    return `${named(senderName)}: ${text}`
  return JSON.stringify(data)
}
