import { useState } from 'react'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  endFormerAddressSecret,
  NewSecret,
  WebhookAddress,
} from '../../../../../contract/people/webhook-addresses.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { BackLink } from '../../../kit/page.tsx'
import { addresses as texts } from '../../../texts/addresses.ts'
import { useTexts } from '../../../texts/texts.ts'
import { AddressDialog, Removal, SecretDialog } from './address-dialogs.tsx'
import { ShownSecret } from './addresses.tsx'
import { useBotPath } from './bot-data.ts'
import { FormerNotice } from './former-notice.tsx'
import { Health } from './health.tsx'

/** A further address of a bot: how it is doing, what can be changed about it, and below that its deliveries. */
export function AddressPage({ bot, address }: { bot: ConsoleBot; address: WebhookAddress }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove'>()
  const [made, setMade] = useState<NewSecret>()
  const close = () => setOpen(undefined)
  if (made) return <ShownSecret made={made} onClose={() => setMade(undefined)} />
  return (
    <>
      <BackLink to={botPath(bot.id, 'deliveries')}>{t.back}</BackLink>
      <FormerSecret bot={bot} address={address} />
      <Health bot={bot} address={address}>
        <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
        <Button onClick={() => setOpen('rotate')}>{t.rotate}</Button>
        <Button look="risk" onClick={() => setOpen('remove')}>
          {t.remove}
        </Button>
      </Health>
      {open === 'edit' && <AddressDialog bot={bot} address={address} onMade={setMade} onClose={close} />}
      {open === 'rotate' && <SecretDialog bot={bot} address={address} onMade={setMade} onClose={close} />}
      {open === 'remove' && <Removal bot={bot} address={address} onClose={close} />}
    </>
  )
}

/** The end of the previous secret, and a button to end it now. */
function FormerSecret({ bot, address }: { bot: ConsoleBot; address: WebhookAddress }) {
  const { organizationId } = useMembership()
  return (
    <FormerNotice
      until={address.formerSecretUntil}
      texts={useTexts(texts)}
      onEnd={() =>
        call<typeof endFormerAddressSecret>(
          'DELETE',
          '/people/organizations/{organizationId}/bots/{botId}/addresses/{addressId}/secret/former',
          { params: { organizationId, botId: bot.id, addressId: address.id } },
        )
      }
    />
  )
}
