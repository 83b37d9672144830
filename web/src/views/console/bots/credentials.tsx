import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type {
  ConsoleBot,
  Credentials,
  replaceBotKey,
  rotateBotSecret,
} from '../../../../../contract/people/bots.ts'
import type { endFormerSecret } from '../../../../../contract/people/webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { CopyButton } from '../../../kit/copy.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { useFocusAtFirst } from '../../../kit/page.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'
import { FormerNotice } from './former-notice.tsx'
import { Handover } from './handover.tsx'

export function CredentialsTab({ bot }: { bot: ConsoleBot }) {
  return (
    <>
      <KnownCredentials bot={bot} />
      <Rotation bot={bot} />
      {bot.credential === 'static' && <KeyReplacement bot={bot} />}
    </>
  )
}

function KnownCredentials({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).credentialsTab
  const tokenUrl = `${window.location.origin}/oauth/token`
  return (
    <Card title={t.title}>
      <Facts>
        <dt>{t.kind}</dt>
        <dd>{bot.credential === 'static' ? t.static : t.oauth}</dd>
        {bot.credential === 'static' ? (
          <>
            <dt>{t.key}</dt>
            <dd>
              {t.keyHint} <code>{bot.keyHint}…</code>
            </dd>
            <dt>{t.botId}</dt>
            <dd>
              <code>{bot.id}</code>
              <CopyButton text={bot.id} of={t.botId} />
            </dd>
          </>
        ) : (
          <>
            <dt>{t.clientId}</dt>
            <dd>
              <code>{bot.id}</code>
              <CopyButton text={bot.id} of={t.clientId} />
            </dd>
            <dt>{t.tokenUrl}</dt>
            <dd>
              <code>{tokenUrl}</code>
              <CopyButton text={tokenUrl} of={t.tokenUrl} />
            </dd>
          </>
        )}
        <dt>{t.secret}</dt>
        <dd>{t.secretHidden}</dd>
      </Facts>
    </Card>
  )
}

function Rotation({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).credentialsTab.rotate
  const { organizationId } = useMembership()
  const params = { organizationId, botId: bot.id }
  const [overlap, setOverlap] = useState<keyof typeof OVERLAP_HOURS>('none')
  const atOnce = bot.credential === 'static' ? t.confirmStatic : t.confirmOAuth
  return (
    <Replacement
      words={{
        ...t,
        confirm: overlap === 'none' ? atOnce : t.overlapText,
        done: overlap === 'none' ? t.done : t.overlapText,
      }}
      bot={bot}
      replace={() =>
        call<typeof rotateBotSecret>('POST', '/people/organizations/{organizationId}/bots/{botId}/secret', {
          params,
          body: { overlapHours: OVERLAP_HOURS[overlap] },
        })
      }
    >
      <FormerSecret bot={bot} />
      <SelectField
        label={t.overlap}
        options={OVERLAPS.map((one) => [one, t.overlaps[one]] as const)}
        value={overlap}
        onChange={setOverlap}
      />
    </Replacement>
  )
}

/** Hours that the previous secret stays valid. */
const OVERLAP_HOURS = { none: 0, hour: 1, day: 24, week: 168 }
const OVERLAPS = ['none', 'hour', 'day', 'week'] as const

/** The end of the previous secret, and a button to end it now. */
function FormerSecret({ bot }: { bot: ConsoleBot }) {
  const { organizationId } = useMembership()
  return (
    <FormerNotice
      until={bot.formerSecretUntil}
      texts={useTexts(texts).credentialsTab.rotate}
      onEnd={() =>
        call<typeof endFormerSecret>(
          'DELETE',
          '/people/organizations/{organizationId}/bots/{botId}/secret/former',
          { params: { organizationId, botId: bot.id } },
        )
      }
    />
  )
}

function KeyReplacement({ bot }: { bot: ConsoleBot }) {
  const { organizationId } = useMembership()
  const params = { organizationId, botId: bot.id }
  return (
    <Replacement
      words={useTexts(texts).credentialsTab.replace}
      bot={bot}
      replace={() =>
        call<typeof replaceBotKey>('POST', '/people/organizations/{organizationId}/bots/{botId}/key', {
          params,
        })
      }
    />
  )
}

type Words = {
  title: string
  text: string
  button: string
  confirmTitle: (name: string) => string
  confirm: string
  done: string
  close: string
}

/** New credentials in place of the old ones: asks first, then shows them once. */
function Replacement({
  words: t,
  bot,
  replace,
  children,
}: {
  words: Words
  bot: ConsoleBot
  replace: () => Promise<Credentials>
  /** Options above the button. */
  children?: ReactNode
}) {
  const changed = useBotsChanged()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const replacing = useMutation({
    mutationFn: replace,
    onSuccess: () => {
      setAsking(false)
      void changed()
    },
    // The answer holds the secret, so it leaves memory with the page.
    gcTime: 0,
  })
  return (
    <Card title={t.title} heading={heading} {...(!replacing.data && { about: t.text })}>
      {replacing.data ? (
        <>
          <Replaced text={t.done} />
          <Handover credentials={replacing.data} />
          <Actions>
            <Button
              look="primary"
              onClick={() => {
                heading.current?.focus()
                replacing.reset()
              }}
            >
              {t.close}
            </Button>
          </Actions>
        </>
      ) : (
        <>
          {children}
          <Actions>
            <Button look="risk" onClick={() => setAsking(true)}>
              {t.button}
            </Button>
          </Actions>
        </>
      )}
      {isAsking && (
        <Confirm
          title={t.confirmTitle(named(bot.name))}
          text={t.confirm}
          action={t.button}
          busy={replacing.isPending}
          error={replacing.error}
          onConfirm={() => replacing.mutate()}
          onClose={() => {
            replacing.reset()
            setAsking(false)
          }}
        />
      )}
    </Card>
  )
}

function Replaced({ text }: { text: string }) {
  const target = useFocusAtFirst<HTMLDivElement>()
  return (
    <div ref={target} tabIndex={-1}>
      <Notice tone="good">{text}</Notice>
    </div>
  )
}
