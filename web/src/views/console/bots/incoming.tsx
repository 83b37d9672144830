import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type { IncomingWebhook, MadeAddress } from '../../../../../contract/people/incoming-webhooks.ts'
import { Button } from '../../../kit/button.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions } from '../../../kit/layout.tsx'
import { StateMark } from '../../../kit/notice.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { Time } from '../../../kit/time.tsx'
import { incoming as texts } from '../../../texts/incoming.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotPath } from './bot-data.ts'
import { NewAddress, ShownAddress } from './incoming-address.tsx'
import { toneOf, useIncomingWebhooks } from './incoming-data.ts'
import { IncomingDetail } from './incoming-detail.tsx'

/** Addresses that other programs post to; one of them with its calls, where the address of the page names it. */
export function IncomingTab({ bot }: { bot: ConsoleBot }) {
  const query = useIncomingWebhooks(bot.id)
  const [search] = useSearchParams()
  return (
    <Loaded query={query}>
      {({ incomingWebhooks, topics }) => {
        const chosen = incomingWebhooks.find(({ id }) => id === search.get('address'))
        return chosen ? (
          <IncomingDetail key={chosen.id} bot={bot} webhook={chosen} />
        ) : (
          <Addresses bot={bot} webhooks={incomingWebhooks} topics={topics} />
        )
      }}
    </Loaded>
  )
}

type Topics = readonly { id: string; name: string }[]

function Addresses({
  bot,
  webhooks,
  topics,
}: {
  bot: ConsoleBot
  webhooks: readonly IncomingWebhook[]
  topics: Topics
}) {
  const t = useTexts(texts)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<MadeAddress>()
  if (made) return <ShownAddress made={made} onClose={() => setMade(undefined)} />
  return (
    <Card
      title={t.title}
      isWide
      about={t.about}
      actions={
        <Actions>
          <Button look="primary" size="small" disabled={topics.length === 0} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        </Actions>
      }
    >
      {webhooks.length === 0 ? (
        <Empty title={t.empty}>{topics.length === 0 ? t.noTopics : t.emptyText}</Empty>
      ) : (
        <Table bot={bot} webhooks={webhooks} />
      )}
      {isAdding && (
        <NewAddress
          bot={bot}
          topics={topics}
          onMade={(answer) => {
            setAdding(false)
            setMade(answer)
          }}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

function Table({ bot, webhooks }: { bot: ConsoleBot; webhooks: readonly IncomingWebhook[] }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  return (
    <TableRows
      label={t.title}
      rows={webhooks}
      nameOf={({ name }) => name}
      columns={[
        {
          label: t.columns.name,
          cell: ({ id, name }) => <RowName name={name} to={`${botPath(bot.id, 'incoming')}?address=${id}`} />,
        },
        { label: t.columns.topic, width: '24%', cell: ({ topicName }) => topicName },
        { label: t.columns.format, width: '24%', cell: ({ format }) => t.formats[format] },
        {
          label: t.columns.lastCall,
          width: '22%',
          cell: ({ lastCall }) =>
            lastCall ? (
              <StateMark tone={toneOf(lastCall)}>
                <Time at={lastCall.at} />
              </StateMark>
            ) : (
              t.never
            ),
        },
      ]}
    />
  )
}
