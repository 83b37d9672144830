import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import type {
  endFormerAddress,
  IncomingCall,
  IncomingWebhook,
  MadeAddress,
  revokeIncomingWebhook,
  rotateIncomingWebhook,
} from '../../../../../contract/people/incoming-webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { StateMark } from '../../../kit/notice.tsx'
import { BackLink, useFocusAtFirst } from '../../../kit/page.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { incoming as texts } from '../../../texts/incoming.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotPath, useBotsChanged } from './bot-data.ts'
import { FormerNotice } from './former-notice.tsx'
import { ShownAddress } from './incoming-address.tsx'
import { toneOf, useCalls } from './incoming-data.ts'
import { EditAddress } from './incoming-edit.tsx'
import { RotationDialog } from './rotation-dialog.tsx'

type Shown = { bot: ConsoleBot; webhook: IncomingWebhook }

/** One address: what it takes, what can be done with it, and its last calls. */
export function IncomingDetail({ bot, webhook }: Shown) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [made, setMade] = useState<MadeAddress>()
  if (made) return <ShownAddress made={made} onClose={() => setMade(undefined)} />
  return (
    <>
      <BackLink to={botPath(bot.id, 'incoming')}>{t.back}</BackLink>
      <Summary bot={bot} webhook={webhook} onMade={setMade} />
      <Calls bot={bot} webhook={webhook} />
    </>
  )
}

function Summary({ bot, webhook, onMade }: Shown & { onMade: (made: MadeAddress) => void }) {
  const t = useTexts(texts)
  const heading = useFocusAtFirst<HTMLHeadingElement>()
  const [open, setOpen] = useState<'edit' | 'rotate' | 'revoke'>()
  const close = () => setOpen(undefined)
  return (
    <Card title={webhook.name} heading={heading} isWide>
      <FormerAddress bot={bot} webhook={webhook} />
      <Facts>
        <dt>{t.topic}</dt>
        <dd>{webhook.topicName}</dd>
        <dt>{t.format}</dt>
        <dd>{t.formats[webhook.format]}</dd>
        {webhook.template !== undefined && (
          <>
            <dt>{t.template}</dt>
            <dd>
              <code>{webhook.template}</code>
            </dd>
          </>
        )}
        <dt>{t.address}</dt>
        <dd>
          {t.hint} <code>…/in/{webhook.hint}…</code>
        </dd>
        <dt>{t.proof}</dt>
        <dd>{webhook.hasSecret ? t.proofSet : t.proofNone}</dd>
        <dt>{t.created}</dt>
        <dd>
          <Time at={webhook.createdAt} />
        </dd>
      </Facts>
      <Actions>
        <Button onClick={() => setOpen('edit')}>{t.edit}</Button>
        <Button onClick={() => setOpen('rotate')}>{t.rotate}</Button>
        <Button look="risk" onClick={() => setOpen('revoke')}>
          {t.revoke}
        </Button>
      </Actions>
      {open === 'edit' && <EditAddress bot={bot} webhook={webhook} onClose={close} />}
      {open === 'rotate' && <Rotation bot={bot} webhook={webhook} onMade={onMade} onClose={close} />}
      {open === 'revoke' && <Revocation bot={bot} webhook={webhook} onClose={close} />}
    </Card>
  )
}

/** The end of the previous address, and a button to end it now. */
function FormerAddress({ bot, webhook }: Shown) {
  const { organizationId } = useMembership()
  return (
    <FormerNotice
      until={webhook.formerUntil}
      texts={useTexts(texts)}
      onEnd={() =>
        call<typeof endFormerAddress>(
          'DELETE',
          '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks/{incomingWebhookId}/address/former',
          { params: { organizationId, botId: bot.id, incomingWebhookId: webhook.id } },
        )
      }
    />
  )
}

type Closing = { onClose: () => void }

function Rotation({
  bot,
  webhook,
  onMade,
  onClose,
}: Shown & Closing & { onMade: (made: MadeAddress) => void }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  return (
    <RotationDialog
      title={t.rotateTitle(named(webhook.name))}
      words={t}
      send={(overlapHours) =>
        call<typeof rotateIncomingWebhook>(
          'POST',
          '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks/{incomingWebhookId}/address',
          {
            params: { organizationId, botId: bot.id, incomingWebhookId: webhook.id },
            body: { overlapHours },
          },
        )
      }
      onMade={onMade}
      onClose={onClose}
    />
  )
}

function Revocation({ bot, webhook, onClose }: Shown & Closing) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const botPath = useBotPath()
  const [, navigate] = useLocation()
  const revoke = useMutation({
    mutationFn: () =>
      call<typeof revokeIncomingWebhook>(
        'DELETE',
        '/people/organizations/{organizationId}/bots/{botId}/incoming-webhooks/{incomingWebhookId}',
        { params: { organizationId, botId: bot.id, incomingWebhookId: webhook.id } },
      ),
    onSuccess: () => {
      showToast({ text: t.revoked(named(webhook.name)) })
      navigate(botPath(bot.id, 'incoming'), { replace: true })
      void changed()
    },
  })
  return (
    <Confirm
      title={t.revokeTitle(named(webhook.name))}
      text={t.revokeText}
      action={t.revoke}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  )
}

function Calls({ bot, webhook }: Shown) {
  const t = useTexts(texts)
  const query = useCalls(bot.id, webhook.id)
  return (
    <Card title={t.calls} isWide about={t.callsAbout}>
      <Loaded query={query}>
        {({ calls }) =>
          calls.length === 0 ? (
            <Empty title={t.noCalls}>{t.noCallsText}</Empty>
          ) : (
            <TableRows
              label={t.calls}
              rows={calls.map((one, place) => ({ ...one, id: `${one.at} ${calls.length - place}` }))}
              nameOf={({ event, source }) => event ?? source ?? t.calls}
              columns={[
                { label: t.callColumns.at, width: '18%', cell: ({ at }) => <Time at={at} /> },
                {
                  label: t.callColumns.status,
                  width: '14%',
                  cell: (one) => <StateMark tone={toneOf(one)}>{one.status}</StateMark>,
                },
                {
                  label: t.callColumns.source,
                  width: '26%',
                  cell: ({ source, event }) => [source, event].filter(Boolean).join(' · ') || '–',
                },
                { label: t.callColumns.reason, cell: (one) => <Outcome call={one} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Card>
  )
}

function Outcome({ call: { reason, detail, messageId, isFormer } }: { call: IncomingCall }) {
  const t = useTexts(texts)
  return (
    <>
      {reason === undefined ? t.written : t.reasons[reason]}
      {detail !== undefined && `: ${detail}`}
      {isFormer && ` (${t.byFormer})`}
      {messageId !== undefined && (
        <>
          {' · '}
          <Link to={`/m/${messageId}`}>{t.toMessage}</Link>
        </>
      )}
    </>
  )
}
