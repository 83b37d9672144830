import type { BOT_SORTS, ListedBot, listBots } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { ButtonLink } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { Name } from '../../../kit/name.tsx'
import { StateMark } from '../../../kit/notice.tsx'
import { useNumber } from '../../../kit/number.ts'
import { PageHead } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useListPage } from '../list-page.ts'
import { type BotState, STATE_TONES, stateOf, useBotPath } from './bot-data.ts'
import { Sparkline } from './sparkline.tsx'

/** The stream does not tell of a webhook that fails. */
const LOOK_AGAIN_MS = 15_000

type Sort = (typeof BOT_SORTS)[number]
const SORTS: readonly Sort[] = ['name', 'attention', 'lastSeen', 'createdAt']
const STATES: readonly BotState[] = ['active', 'failing', 'paused', 'held', 'off']

export default function View() {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const newBot = (
    <ButtonLink to={`/console/${organizationId}/bots/new`} look="primary">
      {t.newBot}
    </ButtonLink>
  )
  const columns = useColumns()
  const address = useTableAddress({
    filters: { state: STATES },
    sorts: SORTS,
    // Bots that need attention come first, then all by name.
    sort: ['attention', 'asc'],
  })
  const query = useListPage({
    kind: 'bot',
    list: ['list'],
    asked: address.asked,
    read: async (asked, organization) => {
      const { bots: rows, ...page } = await call<typeof listBots>(
        'GET',
        '/people/organizations/{organizationId}/bots',
        { params: { organizationId: organization }, query: asked },
      )
      return { rows, ...page }
    },
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
        <RowName
          mark={<Face member={{ ...bot, type: 'bot' }} size={32} />}
          name={bot.name}
          to={botPath(bot.id)}
          note={bot.description}
        />
      ),
    },
    {
      label: t.columns.state,
      width: '17%',
      sort: 'attention',
      cell: (bot) => {
        const state = stateOf(bot)
        return <StateMark tone={STATE_TONES[state]}>{t.states[state]}</StateMark>
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
