import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { BOT_SORTS, ListedBot, listBots } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Face } from '../../../kit/face.tsx'
import { Name } from '../../../kit/name.tsx'
import { StateMark } from '../../../kit/notice.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { LinkButton } from '../../../ui/controls.tsx'
import { useNumber } from '../../../ui/number.ts'
import { PageHead } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { type BotState, stateOf, useBotPath } from './bot-data.ts'
import styles from './bots.module.css'
import { Sparkline } from './sparkline.tsx'

/** The stream does not tell of a webhook that fails. */
const LOOK_AGAIN_MS = 15_000

type Sort = (typeof BOT_SORTS)[number]
const SORTS: readonly Sort[] = ['name', 'attention', 'lastSeen', 'createdAt']
const STATES: readonly BotState[] = ['active', 'failing', 'paused', 'off']
const TONES = { active: 'good', failing: 'warn', paused: 'bad', off: 'plain' } as const

export default function View() {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const newBot = (
    <LinkButton to={`/console/${organizationId}/bots/new`} look="primary">
      {t.newBot}
    </LinkButton>
  )
  const columns = useColumns()
  const address = useTableAddress({
    filters: { state: STATES },
    sorts: SORTS,
    // Whatever needs a look comes first, and then all by their names.
    sort: ['attention', 'asc'],
  })
  const { search, cursor, sort, order } = address
  const { state } = address.filter
  const query = useQuery({
    queryKey: keys.of(organizationId, 'bot', 'list', { search, state, sort, order, cursor }),
    queryFn: async () => {
      const { bots: rows, ...page } = await call<typeof listBots>(
        'GET',
        '/people/organizations/{organizationId}/bots',
        {
          params: { organizationId },
          query: {
            search,
            sort,
            order,
            ...(cursor !== '' && { cursor }),
            ...(state !== '' && { state }),
          },
        },
      )
      return { rows, ...page }
    },
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        {newBot}
      </PageHead>
      <Table
        label={t.title}
        address={address}
        query={query}
        columns={columns}
        nameOf={({ name }) => name}
        search={t.search}
        filters={[
          {
            name: 'state',
            label: t.columns.state,
            any: t.anyState,
            options: STATES.map((one) => [one, t.states[one]] as const),
          },
        ]}
        count={t.count}
        empty={{ ...t.empty, action: newBot }}
      />
    </>
  )
}

function useColumns(): readonly Column<ListedBot, Sort>[] {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const number = useNumber()
  return [
    {
      label: t.columns.name,
      sort: 'name',
      cell: (bot) => (
        <span className={styles.bot}>
          <Face member={{ id: bot.id, name: bot.name, type: 'bot' }} size={32} />
          <span className={styles.words}>
            <Link to={botPath(bot.id)}>
              <Name text={bot.name} />
            </Link>
            {bot.description !== '' && (
              <span className={styles.quiet}>
                <Name text={bot.description} />
              </span>
            )}
          </span>
        </span>
      ),
    },
    {
      label: t.columns.state,
      width: '17%',
      sort: 'attention',
      cell: (bot) => {
        const state = stateOf(bot)
        return <StateMark tone={TONES[state]}>{t.states[state]}</StateMark>
      },
    },
    {
      label: t.columns.owner,
      width: '15%',
      cell: ({ ownerName }) => (ownerName === undefined ? t.noOwner : <Name text={ownerName} />),
    },
    { label: t.columns.topics, width: '9%', isNumber: true, cell: ({ topics }) => number(topics) },
    {
      label: t.columns.lastSeen,
      width: '13%',
      sort: 'lastSeen',
      startsWith: 'desc',
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? t.neverSeen : <Time at={lastSeenAt} />),
    },
    {
      label: t.columns.deliveries,
      width: '16%',
      cell: (bot) =>
        bot.delivery === 'webhook' ? <Sparkline hours={bot.activity} /> : t.deliveries[bot.delivery],
    },
  ]
}
