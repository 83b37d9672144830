import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { Link } from 'wouter'
import type { Overview as Figures, readOverview } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { BarChart } from '../../kit/chart.tsx'
import { Card } from '../../kit/form.tsx'
import { Columns, Quiet } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { useBytes, useNumber } from '../../kit/number.ts'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { overview as texts } from '../../texts/overview.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { NextSteps } from './next-steps.tsx'
import styles from './overview.module.css'

/** The stream does not announce everything that is counted here. */
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
      <PageHead title={t.title} about={<Words text={t.about(named(organizationName))} />} />
      <Loaded query={query}>
        {(figures) => (
          <>
            <NextSteps figures={figures} />
            <Counts figures={figures} />
            <Columns>
              <Messages figures={figures} />
              <Deliveries figures={figures} />
            </Columns>
          </>
        )}
      </Loaded>
    </>
  )
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
const messagesOf = ({ messagesByDay }: Figures): number => sum(messagesByDay.map(({ count }) => count))

/** Counts in one line: small numbers are no news. */
function Counts({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const number = useNumber()
  const bytes = useBytes()
  const { organizationId } = useMembership()
  const base = `/console/${organizationId}`
  const { members, bots, topics, storage } = figures
  return (
    <ul className={styles.figures} aria-label={t.figures}>
      <li>
        <Link to={`${base}/members`}>{t.counts.members(members.active, number(members.active))}</Link>
        {members.pending > 0 && `, ${t.counts.invited(number(members.pending))}`}
      </li>
      <li>
        <Link to={`${base}/bots`}>{t.counts.bots(bots.active, number(bots.active))}</Link>
        {bots.inactive > 0 && `, ${t.counts.off(number(bots.inactive))}`}
      </li>
      <li>{t.counts.topics(topics, number(topics))}</li>
      <li>
        {storage.quotaBytes === null
          ? t.counts.files(bytes(storage.usedBytes))
          : t.counts.filesOf(bytes(storage.usedBytes), bytes(storage.quotaBytes))}
      </li>
    </ul>
  )
}

function Messages({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const language = useContext(LanguageContext)
  // A day is one of UTC, wherever the reader is.
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  return (
    <Card title={t.messages.title} isWide>
      {messagesOf(figures) === 0 ? (
        <Quiet>{t.messages.none}</Quiet>
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
          <Quiet small>{t.messages.utc}</Quiet>
        </>
      )}
    </Card>
  )
}

function Deliveries({ figures }: { figures: Figures }) {
  const t = useTexts(texts)
  const language = useContext(LanguageContext)
  const number = useNumber()
  const hour = new Intl.DateTimeFormat(language, { weekday: 'short', hour: '2-digit', minute: '2-digit' })
  const { delivered, failed, pending, byHour } = figures.deliveries
  return (
    <Card title={t.deliveries.title} isWide>
      {delivered + failed + pending === 0 ? (
        <Quiet>{t.deliveries.none}</Quiet>
      ) : (
        <>
          <ul className={styles.figures}>
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
    </Card>
  )
}
