import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { EventType } from '../../../../../contract/events.ts'
import type {
  BotEvent,
  ConsoleBot,
  listBotEvents,
  readBotContent,
} from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys, useWatch } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Code } from '../../../kit/copy.tsx'
import { FilterBar, FilterPill } from '../../../kit/filters.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/form.tsx'
import { Quiet } from '../../../kit/layout.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { ErrorNotice, Notice, StateMark } from '../../../kit/notice.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { Time } from '../../../kit/time.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useReading } from '../readings/ask-reading.tsx'
import { EVENT_TYPES } from './bot-data.ts'
import styles from './bots.module.css'

const LOOK_AGAIN_MS = 2000
/** Read at a time, and kept at most. */
const READ = 100
const KEPT = 500

/** The newest events of a bot as they happen. */
export function EventsTab({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).events
  const words = useTexts(common)
  const r = useTexts(readingTexts)
  const [isPaused, setPaused] = useState(false)
  const [type, setType] = useState<EventType | ''>('')
  const query = useTail(bot.id, isPaused)
  const content = useContent(bot)
  useWatch(bot.id)
  return (
    <Card
      title={t.title}
      about={t.about}
      isWide
      mark={
        <span role="status">
          <StateMark tone={isPaused ? 'warn' : 'good'}>{isPaused ? t.paused : t.following}</StateMark>
        </span>
      }
      actions={
        <Button size="small" onClick={() => setPaused(!isPaused)}>
          {isPaused ? t.follow : t.pause}
        </Button>
      }
    >
      <FilterBar>
        <FilterPill
          filter={{
            label: t.type,
            any: words.all,
            options: EVENT_TYPES.map((name) => [name, name] as const),
          }}
          value={type}
          onChange={setType}
        />
      </FilterBar>
      <Loaded query={query}>
        {(events) => {
          const shown = type === '' ? events : events.filter((event) => event.type === type)
          if (events.length === 0) return <Empty title={t.empty}>{t.emptyText}</Empty>
          if (shown.length === 0) return <Quiet>{t.emptyFilter}</Quiet>
          const known = shown.map((event) => content.events.get(event.seq) ?? event)
          return (
            <>
              {known.some(({ data }) => data === undefined) && (
                <Notice>
                  <p>{r.hiddenMany}</p>
                  <Button size="small" busy={content.isPending} onClick={content.show}>
                    {r.show}
                  </Button>
                </Notice>
              )}
              {content.error && <ErrorNotice error={content.error} />}
              <ul>
                {known.map((event) => (
                  <li key={event.seq}>
                    <Event event={event} />
                  </li>
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
      {content.dialog}
    </Card>
  )
}

/** The newest events with their content, read on demand under a reading of the bot. */
function useContent({ id: botId, name }: ConsoleBot) {
  const { organizationId } = useMembership()
  const [events, setEvents] = useState<ReadonlyMap<number, BotEvent>>(new Map())
  const { read, dialog } = useReading()
  const showing = useMutation({
    mutationFn: () =>
      read({ type: 'bot', id: botId, name }, () =>
        call<typeof readBotContent>(
          'POST',
          '/people/organizations/{organizationId}/bots/{botId}/events/content',
          { params: { organizationId, botId }, body: { limit: READ } },
        ),
      ),
    onSuccess: (page) => page && setEvents(new Map(page.events.map((event) => [event.seq, event]))),
  })
  return { events, dialog, isPending: showing.isPending, error: showing.error, show: () => showing.mutate() }
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
  const r = useTexts(readingTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <Fold
      onToggle={setOpen}
      summary={
        <>
          <strong>{event.type}</strong>
          <Quiet small as="span">
            <Time at={event.createdAt} />
          </Quiet>
          <span className={styles.preview}>
            {event.data !== undefined && <Words text={previewOf(event.data)} />}
          </span>
        </>
      }
    >
      {isOpen && (
        <>
          <Quiet small>
            {t.number} {event.seq} · {t.id} <code>{event.id}</code> · <Time at={event.createdAt} exact />
          </Quiet>
          {event.data === undefined ? (
            <Quiet>{r.hidden}</Quiet>
          ) : (
            <Code label={`${event.type} · ${t.data}`} text={JSON.stringify(event.data, null, 2)} />
          )}
        </>
      )}
    </Fold>
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
