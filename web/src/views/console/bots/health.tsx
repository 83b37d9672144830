import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import type { ConsoleBot, resumeBotWebhook, testWebhook } from '../../../../../contract/people/bots.ts'
import type { WebhookAddress } from '../../../../../contract/people/webhook-addresses.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts, Quiet } from '../../../kit/layout.tsx'
import { ErrorNotice, Notice, StateMark } from '../../../kit/notice.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { deliveries as texts } from '../../../texts/deliveries.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useSettings } from '../changes.ts'
import { STATE_TONES, stateOfAddress, useBotPath, useBotsChanged } from './bot-data.ts'
import { deliveryPath, useDelivery, useDuration } from './delivery-data.ts'

/** How an address of a bot is doing, its first one unless another is given, and a test for it; with what else can be done. */
export function Health({
  bot,
  address,
  children,
}: {
  bot: ConsoleBot
  address?: WebhookAddress
  children?: ReactNode
}) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const heading = useRef<HTMLHeadingElement>(null)
  const changed = useBotsChanged()
  const params = { organizationId, botId: bot.id }
  const query = address ? { address: address.id } : {}
  const shown = address ?? bot.webhook
  const state = stateOfAddress(bot, shown)
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const { url, pausedAt, pauseReason, failingSince } = shown
  const resume = useMutation({
    mutationFn: () =>
      call<typeof resumeBotWebhook>(
        'POST',
        '/people/organizations/{organizationId}/bots/{botId}/webhook/resume',
        { params, query },
      ),
    onSuccess: () => {
      // The focused button disappears.
      heading.current?.focus()
      showToast({ text: t.health.resumed })
      void changed()
    },
  })
  const test = useMutation({
    mutationFn: () =>
      call<typeof testWebhook>('POST', '/people/organizations/{organizationId}/bots/{botId}/webhook/test', {
        params,
        query,
      }),
    onSuccess: () => void changed(),
  })
  return (
    <Card
      title={t.health.title}
      heading={heading}
      isWide
      mark={
        <StateMark tone={STATE_TONES[state]}>
          {state === 'active' ? t.health.well : t.health[state]}
        </StateMark>
      }
    >
      <Facts>
        <dt>{t.health.address}</dt>
        <dd>
          <code>{url}</code>
        </dd>
        {state === 'failing' && failingSince !== undefined && (
          <>
            <dt>{t.health.since}</dt>
            <dd>
              <Time at={failingSince} exact />
            </dd>
          </>
        )}
        {state === 'paused' && pausedAt !== undefined && (
          <>
            <dt>{t.health.since}</dt>
            <dd>
              <Time at={pausedAt} exact />
            </dd>
          </>
        )}
      </Facts>
      {state === 'failing' && (
        <Notice tone="warn">
          {t.health.failingText} {sendsMail && t.health.failingMail}
        </Notice>
      )}
      {state === 'off' && <Notice>{t.health.offText}</Notice>}
      {state === 'held' && <Notice>{t.health.heldText}</Notice>}
      {state === 'paused' && (
        <Notice tone="bad">
          {pauseReason === undefined ? t.health.pausedText : t.health.pausedTexts[pauseReason]}
        </Notice>
      )}
      {resume.isError && <ErrorNotice error={resume.error} />}
      {test.isError && <ErrorNotice error={test.error} />}
      <Actions>
        {state === 'paused' && (
          <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
            {t.health.resume}
          </Button>
        )}
        <Button busy={test.isPending} disabled={!bot.active} onClick={() => test.mutate()}>
          {t.health.test}
        </Button>
        {children}
        <Quiet small as="span">
          {t.health.testHint}
        </Quiet>
      </Actions>
      {test.data && <Test key={test.data.deliveryId} bot={bot} deliveryId={test.data.deliveryId} />}
    </Card>
  )
}

/** The way of a test: sent, and then what came back. */
function Test({ bot, deliveryId }: { bot: ConsoleBot; deliveryId: string }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const duration = useDuration()
  const query = useDelivery(bot.id, deliveryId, true)
  const attempt = query.data?.history.at(-1)
  const link = <Link to={deliveryPath(botPath(bot.id, 'deliveries'), deliveryId)}>{t.test.detail}</Link>
  if (query.isError && query.data === undefined) return <ErrorNotice error={query.error} />
  if (!attempt) {
    return (
      <div role="status">
        <StateMark tone="warn">{t.test.sending}</StateMark>
      </div>
    )
  }
  if (attempt.outcome === 'ok') {
    return (
      <Notice tone="good">
        <p>{t.test.ok(String(attempt.status ?? ''), duration(attempt.durationMs))}</p>
        <p>{link}</p>
      </Notice>
    )
  }
  const status = attempt.status === undefined ? '' : ` (${attempt.status})`
  return (
    <Notice tone="bad">
      <p>{t.test.failed(t.outcomes[attempt.outcome] + status, duration(attempt.durationMs))}</p>
      <p>{t.outcomeHints[attempt.outcome]}</p>
      <p>{link}</p>
    </Notice>
  )
}
