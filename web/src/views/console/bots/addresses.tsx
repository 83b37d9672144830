import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type { NewSecret, WebhookAddress } from '../../../../../contract/people/webhook-addresses.ts'
import { Button } from '../../../kit/button.tsx'
import { Secret } from '../../../kit/copy.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Quiet, Stack } from '../../../kit/layout.tsx'
import { useAskBeforeLeaving } from '../../../kit/leaving.ts'
import { Notice, StateMark } from '../../../kit/notice.tsx'
import { useFocusAtFirst } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { addresses as texts } from '../../../texts/addresses.ts'
import { deliveries as deliveryTexts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { AddressDialog } from './address-dialogs.tsx'
import { STATE_TONES, stateOfAddress, useBotPath } from './bot-data.ts'

/** The path of a further address's page. */
export function useAddressPath(): (botId: string, addressId: string) => string {
  const botPath = useBotPath()
  return (botId, addressId) => `${botPath(botId, 'deliveries')}?address=${encodeURIComponent(addressId)}`
}

type Row = Pick<WebhookAddress, 'id' | 'events' | 'pausedAt' | 'failingSince'> & {
  url: string
  isFirst: boolean
}

/** All addresses of a webhook, each with how it is doing; the first one is below, the others have a page each. */
export function Addresses({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<NewSecret>()
  if (made) return <ShownSecret made={made} onClose={() => setMade(undefined)} />
  const first: Row = { ...bot.webhook, id: bot.id, url: bot.webhook.url ?? '', isFirst: true }
  const isFull = bot.addresses.length + 1 >= LIMITS.webhookAddresses
  return (
    <Card
      title={t.title}
      isWide
      about={t.about}
      actions={
        <Actions>
          {isFull ? (
            <Quiet small as="span">
              {t.full(LIMITS.webhookAddresses)}
            </Quiet>
          ) : (
            <Button size="small" onClick={() => setAdding(true)}>
              {t.add}
            </Button>
          )}
        </Actions>
      }
    >
      {bot.addresses.length > 0 && (
        <AddressTable bot={bot} rows={[first, ...bot.addresses.map((one) => ({ ...one, isFirst: false }))]} />
      )}
      {isAdding && (
        <AddressDialog
          bot={bot}
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

function AddressTable({ bot, rows }: { bot: ConsoleBot; rows: readonly Row[] }) {
  const t = useTexts(texts)
  const { health } = useTexts(deliveryTexts)
  const addressPath = useAddressPath()
  return (
    <TableRows
      label={t.title}
      rows={rows}
      nameOf={({ url }) => url}
      columns={[
        {
          label: t.columns.address,
          cell: ({ id, url, isFirst }) =>
            isFirst ? (
              <RowName name={url} note={t.first} />
            ) : (
              <RowName name={url} to={addressPath(bot.id, id)} />
            ),
        },
        {
          label: t.columns.events,
          width: '18%',
          cell: ({ events }) => (events === null ? t.allEvents : t.someEvents(events.length)),
        },
        {
          label: t.columns.state,
          width: '22%',
          cell: (row) => {
            const state = stateOfAddress(bot, row)
            return (
              <StateMark tone={STATE_TONES[state]}>
                {state === 'active' ? health.well : health[state]}
              </StateMark>
            )
          },
        },
      ]}
    />
  )
}

/** The only sight of the secret of an address. */
export function ShownSecret({ made, onClose }: { made: NewSecret; onClose: () => void }) {
  const t = useTexts(texts)
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const [isCopied, setCopied] = useState(false)
  useAskBeforeLeaving(!isCopied, t.leave)
  return (
    <Card title={t.done} heading={heading}>
      <Stack>
        <Notice tone="warn">
          <strong>{t.once}</strong>
          <p>{t.onceMore}</p>
        </Notice>
        <Secret label={t.secret} value={made.secret} onCopied={() => setCopied(true)} />
        <Actions>
          <Button look="primary" onClick={onClose}>
            {t.stored}
          </Button>
        </Actions>
      </Stack>
    </Card>
  )
}
