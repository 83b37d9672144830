import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ConsoleBot, listBots } from '../../../../../contract/people/bots.ts'
import { ALL_SCOPES } from '../../../../../contract/scopes.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Badge, LinkButton } from '../../../ui/controls.tsx'
import { Name } from '../../../ui/name.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { Empty, Loaded, More } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { STATE_TONES, stateOf, useBotPath } from './bot-data.ts'
import '../../../styles/bots.css'

/** The stream does not tell of a webhook that fails. */
const LOOK_AGAIN_MS = 15_000

export default function View() {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const newBot = `/console/${organizationId}/bots/new`
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'bot', 'list'),
    queryFn: ({ pageParam }) =>
      call<typeof listBots>('GET', '/people/organizations/{organizationId}/bots', {
        params: { organizationId },
        query: { cursor: pageParam },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        <LinkButton to={newBot} look="primary">
          {t.newBot}
        </LinkButton>
      </PageHead>
      <section className="card" aria-label={t.title}>
        <Loaded query={query}>
          {({ pages }) => {
            const bots = pages.flatMap((page) => page.bots)
            if (bots.length === 0) {
              return (
                <Empty title={t.empty.title}>
                  <p className="measure">{t.empty.text}</p>
                  <LinkButton to={newBot} look="primary">
                    {t.newBot}
                  </LinkButton>
                </Empty>
              )
            }
            return (
              <>
                <BotTable bots={bots} />
                <More query={query} />
              </>
            )
          }}
        </Loaded>
      </section>
    </>
  )
}

function BotTable({ bots }: { bots: readonly ConsoleBot[] }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  return (
    <div className="tablewrap">
      <table className="stacks">
        <thead>
          <tr>
            <th scope="col">{t.columns.name}</th>
            <th scope="col">{t.columns.credential}</th>
            <th scope="col">{t.columns.rights}</th>
            <th scope="col">{t.columns.delivery}</th>
            <th scope="col">{t.columns.state}</th>
            <th scope="col">{t.columns.created}</th>
          </tr>
        </thead>
        <tbody>
          {bots.map((bot) => {
            const state = stateOf(bot)
            return (
              <tr key={bot.id}>
                <td className="named">
                  <Link className="rowlink" to={botPath(bot.id)}>
                    <Name text={bot.name} />
                  </Link>
                </td>
                <td data-label={t.columns.credential}>
                  {t.credentials[bot.credential]}
                  {bot.keyHint !== '' && <code className="soft"> {bot.keyHint}…</code>}
                </td>
                <td data-label={t.columns.rights}>
                  {bot.permission !== undefined
                    ? t.permissions[bot.permission]
                    : t.scopeCount(bot.scopes?.length ?? 0, ALL_SCOPES.length)}
                </td>
                <td data-label={t.columns.delivery}>{t.deliveries[bot.delivery]}</td>
                <td data-label={t.columns.state}>
                  <Badge tone={STATE_TONES[state]}>{t.states[state]}</Badge>
                </td>
                <td data-label={t.columns.created}>
                  <Time at={bot.createdAt} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
