import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import type {
  ConsoleBot,
  Credentials,
  replaceBotKey,
  rotateBotSecret,
} from '../../../../../contract/people/bots.ts'
import type { endFormerSecret } from '../../../../../contract/people/webhooks.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button, Notice, Select } from '../../../ui/controls.tsx'
import { CopyButton } from '../../../ui/copy.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { named } from '../../../ui/name.tsx'
import { useFocusAtFirst } from '../../../ui/page.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useBotsChanged } from './bot-data.ts'
import { Handover } from './handover.tsx'

export function CredentialsTab({ bot }: { bot: ConsoleBot }) {
  return (
    <>
      <Facts bot={bot} />
      <Rotation bot={bot} />
      {bot.credential === 'static' && <KeyReplacement bot={bot} />}
    </>
  )
}

function Facts({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).credentialsTab
  const tokenUrl = `${window.location.origin}/oauth/token`
  return (
    <section className="card padded" aria-labelledby="bot-credentials">
      <h2 id="bot-credentials">{t.title}</h2>
      <dl className="facts">
        <dt>{t.kind}</dt>
        <dd>{bot.credential === 'static' ? t.static : t.oauth}</dd>
        {bot.credential === 'static' ? (
          <>
            <dt>{t.key}</dt>
            <dd>
              {t.keyHint} <code>{bot.keyHint}…</code>
            </dd>
            <dt>{t.botId}</dt>
            <dd className="copied">
              <code>{bot.id}</code>
              <CopyButton text={bot.id} of={t.botId} />
            </dd>
          </>
        ) : (
          <>
            <dt>{t.clientId}</dt>
            <dd className="copied">
              <code>{bot.id}</code>
              <CopyButton text={bot.id} of={t.clientId} />
            </dd>
            <dt>{t.tokenUrl}</dt>
            <dd className="copied">
              <code>{tokenUrl}</code>
              <CopyButton text={tokenUrl} of={t.tokenUrl} />
            </dd>
          </>
        )}
        <dt>{t.secret}</dt>
        <dd className="soft">{t.secretHidden}</dd>
      </dl>
    </section>
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
      <Select
        label={t.overlap}
        options={OVERLAPS.map((one) => [one, t.overlaps[one]] as const)}
        value={overlap}
        onChange={setOverlap}
      />
    </Replacement>
  )
}

/** For how long the secret of before may go on. */
const OVERLAP_HOURS = { none: 0, hour: 1, day: 24, week: 168 }
const OVERLAPS = ['none', 'hour', 'day', 'week'] as const

/** While two secrets count: until when, and how to end that. */
function FormerSecret({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).credentialsTab.rotate
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const toast = useToast()
  const end = useMutation({
    mutationFn: () =>
      call<typeof endFormerSecret>(
        'DELETE',
        '/people/organizations/{organizationId}/bots/{botId}/secret/former',
        { params: { organizationId, botId: bot.id } },
      ),
    onSuccess: () => {
      toast(t.formerEnded)
      void changed()
    },
  })
  const until = bot.formerSecretUntil
  if (until === undefined || until <= Date.now()) return null
  return (
    <Notice tone="warn">
      <p>
        {t.former} <Time at={until} exact />
      </p>
      {end.isError && <ErrorState error={end.error} />}
      <Button look="small" busy={end.isPending} onClick={() => end.mutate()}>
        {t.endFormer}
      </Button>
    </Notice>
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
  /** What can be chosen before. */
  children?: ReactNode
}) {
  const changed = useBotsChanged()
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isAsking, setAsking] = useState(false)
  const replacing = useMutation({
    mutationFn: replace,
    onSuccess: () => {
      setAsking(false)
      void changed()
    },
    // It holds the secret: gone with the page.
    gcTime: 0,
  })
  return (
    <section className="card padded" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1}>
        {t.title}
      </h2>
      {replacing.data ? (
        <>
          <Replaced text={t.done} />
          <Handover credentials={replacing.data} />
          <div className="actions">
            <Button
              look="primary"
              onClick={() => {
                heading.current?.focus()
                replacing.reset()
              }}
            >
              {t.close}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p className="soft">{t.text}</p>
          {children}
          <div className="actions">
            <Button look="danger" onClick={() => setAsking(true)}>
              {t.button}
            </Button>
          </div>
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
    </section>
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
