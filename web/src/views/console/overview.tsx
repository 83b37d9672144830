import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { Link } from 'wouter'
import type { Overview as Figures, readOverview } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { overview as texts } from '../../texts/overview.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { BarChart } from '../../ui/chart.tsx'
import { Badge, LinkButton } from '../../ui/controls.tsx'
import { Name } from '../../ui/name.tsx'
import { useBytes, useNumber } from '../../ui/number.ts'
import { PageHead } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'

/** Not everything that it counts is told by the stream. */
const LOOK_AGAIN_MS = 15_000
/** Deliveries that wait are counted up to here. */
const PENDING_COUNTED = 1000

export function Overview() {
  const t = useTexts(texts)
  const { organizationId, organizationName } = useMembership()
  const query = useQuery({
    queryKey: keys.of(organizationId, 'overview'),
    queryFn: () =>
      call<typeof readOverview>('GET', '/people/organizations/{organizationId}/overview', {
        params: { organizationId },
      }),
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about(organizationName)} />
      <Loaded query={query}>
        {(figures) => (
          <>
            <Welcome figures={figures} />
            <Unwell figures={figures} />
            <Counts figures={figures} />
            <div className="grid wide">
              <Messages figures={figures} />
              <Deliveries figures={figures} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const messagesOf = ({ messagesByDay }: Figures): number => sum(messagesByDay.map(({ count }) => count))

/** Until there are bots and messages: what to do first. */
function Welcome({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const hasBots = figures.bots.active + figures.bots.inactive > 0
  if (hasBots && messagesOf(figures) > 0) return null
  const base = `/console/${organizationId}`
  return (
    <section className="card padded welcome" aria-labelledby="welcome">
      <h2 id="welcome">{t.welcome.title}</h2>
      <p className="soft">{hasBots ? t.welcome.noMessages : t.welcome.text}</p>
      <div className="actions">
        {hasBots ? (
          <LinkButton to={`${base}/bots`} look="primary">
            {t.welcome.bots}
          </LinkButton>
        ) : (
          <LinkButton to={`${base}/bots/new`} look="primary">
            {t.welcome.bot}
          </LinkButton>
        )}
        <LinkButton to={`${base}/members`}>{t.welcome.invite}</LinkButton>
      </div>
    </section>
  )
}

function Counts({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const number = useNumber()
  const bytes = useBytes()
  const { organizationId } = useMembership()
  const base = `/console/${organizationId}`
  const { members, bots, topics, storage, messagesByDay } = figures
  return (
    <section aria-label={t.figures}>
      <ul className="grid">
        <Count
          name={<Link to={`${base}/members`}>{t.members}</Link>}
          value={number(members.active)}
          more={t.membersMore(number(members.pending), number(members.archived))}
        />
        <Count
          name={<Link to={`${base}/bots`}>{t.bots}</Link>}
          value={number(bots.active)}
          more={t.botsMore(number(bots.inactive))}
        />
        <Count name={t.topics} value={number(topics)} more={t.topicsMore} />
        <Count
          name={t.storage}
          value={bytes(storage.usedBytes)}
          more={storage.quotaBytes === null ? t.storageUnlimited : t.storageMore(bytes(storage.quotaBytes))}
        />
        <Count
          name={t.messagesToday}
          value={number(messagesByDay.at(-1)?.count ?? 0)}
          more={t.messagesMore(number(messagesOf(figures)))}
        />
      </ul>
    </section>
  )
}

function Count({ name, value, more }: { name: ReactNode; value: string; more: string }) {
  return (
    <li className="card padded count">
      <span className="name">{name}</span>
      <strong className="value">{value}</strong>
      <span className="soft small">{more}</span>
    </li>
  )
}

function Messages({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const language = useContext(LanguageContext)
  // A day is one of UTC, wherever the reader is.
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <section className="card padded" aria-labelledby="messages-chart">
      <h2 id="messages-chart">{t.messages.title}</h2>
      {messagesOf(figures) === 0 ? (
        <p className="soft">{t.messages.none}</p>
      ) : (
        <>
          <BarChart
            label={t.messages.title}
            partNames={[t.messages.part]}
            bars={figures.messagesByDay.map(({ day: date, count }) => ({
              name: day.format(new Date(date)),
              parts: [count],
            }))}
          />
          <p className="soft small">{t.messages.utc}</p>
        </>
      )}
    </section>
  )
}

function Deliveries({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const language = useContext(LanguageContext)
  const number = useNumber()
  const hour = new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const { delivered, failed, pending, byHour } = figures.deliveries
  return (
    <section className="card padded" aria-labelledby="deliveries-chart">
      <h2 id="deliveries-chart">{t.deliveries.title}</h2>
      {delivered + failed + pending === 0 ? (
        <p className="soft">{t.deliveries.none}</p>
      ) : (
        <>
          <ul className="tally">
            <li>
              <strong>{number(delivered)}</strong> {t.deliveries.delivered}
            </li>
            <li>
              <strong>{number(failed)}</strong> {t.deliveries.failed}
            </li>
            <li>
              <strong>
                {pending < PENDING_COUNTED ? number(pending) : t.deliveries.capped(number(PENDING_COUNTED))}
              </strong>{' '}
              {t.deliveries.pending}
            </li>
          </ul>
          <BarChart
            label={t.deliveries.label}
            partNames={[t.deliveries.delivered, t.deliveries.failed]}
            bars={byHour.map((one) => ({
              name: hour.format(one.hour),
              parts: [one.delivered, one.failed],
            }))}
          />
        </>
      )}
    </section>
  )
}

function Unwell({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const { unwell } = figures.deliveries
  if (unwell.length === 0) return null
  return (
    <section className="card" aria-labelledby="unwell">
      <header>
        <h2 id="unwell">{t.unwell.title}</h2>
      </header>
      <div className="tablewrap">
        <table className="stacks">
          <thead>
            <tr>
              <th scope="col">{t.unwell.bot}</th>
              <th scope="col">{t.unwell.state}</th>
              <th scope="col">{t.unwell.since}</th>
            </tr>
          </thead>
          <tbody>
            {unwell.map(({ botId, name, state, since }) => (
              <tr key={botId}>
                <td className="named">
                  <Link
                    className="rowlink"
                    to={`/console/${organizationId}/bots/${encodeURIComponent(botId)}/deliveries`}
                  >
                    <Name text={name} />
                  </Link>
                </td>
                <td data-label={t.unwell.state}>
                  <Badge tone={state === 'paused' ? 'bad' : 'warn'}>{t.unwell[state]}</Badge>
                </td>
                <td data-label={t.unwell.since}>
                  <Time at={since} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
