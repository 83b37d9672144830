import { useState } from 'react'
import type { EventData } from '../../../../contract/events.ts'
import type { setUp } from '../../../../contract/people/session.ts'
import type { call } from '../../api/call.ts'
import { useLive } from '../../api/live.ts'
import { setup } from '../../texts/setup.ts'
import { useTexts } from '../../texts/texts.ts'
import { LinkButton, Notice } from '../../ui/controls.tsx'
import { Code, Secret } from '../../ui/copy.tsx'
import { useAskBeforeLeaving } from '../../ui/leaving.ts'
import { Name, named, Words } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { Entrance } from './entrance.tsx'
import { curlSample, type FirstSteps, pythonSample, typescriptSample } from './first-steps.ts'

export type SetUp = Awaited<ReturnType<typeof call<typeof setUp>>>
type Message = EventData['message.created']['message']

const SHOWN_MESSAGES = 5

/** The first bot: its key, how it says hello, how it answers, and what it said. */
export function ItRuns({ made }: { made: SetUp }) {
  const t = useTexts(setup).done
  const { organizationId, topicId, topicName, bot, session } = made
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(true)
  useAskBeforeLeaving(!isCopied, t.leave)
  const organizationName =
    session.account?.memberships.find((one) => one.organizationId === organizationId)?.organizationName ?? ''
  const steps: FirstSteps = {
    server: window.location.origin,
    apiKey: bot.apiKey,
    apiSecret: bot.apiSecret,
    topicId,
    greeting: t.call.greeting,
    answer: t.bot.answer,
  }
  return (
    <Entrance roomy>
      <PageHead title={t.title} about={t.about(organizationName)} />
      <section className="card padded">
        <div className="stack tight">
          <h2>
            <Words text={t.credentials.title(named(bot.name))} />
          </h2>
          <p className="soft">{t.credentials.about}</p>
        </div>
        <Secret label={t.credentials.key} value={bot.apiKey} />
        <Secret label={t.credentials.secret} value={bot.apiSecret} onCopied={copied} />
      </section>
      <section className="card padded">
        <div className="stack tight">
          <h2>{t.call.title}</h2>
          <p className="soft">{t.call.about(topicName)}</p>
        </div>
        <Code label={t.call.label} text={curlSample(steps)} onCopied={copied} />
        <Arrivals organizationId={organizationId} topicId={topicId} />
      </section>
      <BotSample steps={steps} onCopied={copied} />
      <div>
        <LinkButton to={`/console/${organizationId}`} look="primary">
          {t.console}
        </LinkButton>
      </div>
    </Entrance>
  )
}

function Arrivals({ organizationId, topicId }: { organizationId: string; topicId: string }) {
  const t = useTexts(setup).done
  const [messages, setMessages] = useState<readonly Message[]>([])
  useLive(organizationId, {
    types: ['message.created'],
    onEvent: ({ data }) => {
      const { message } = data as EventData['message.created'] // the only type that is asked for
      if (message.topicId !== topicId || message.isSystem) return
      setMessages((before) => (before.some(({ id }) => id === message.id) ? before : [...before, message]))
    },
  })
  if (messages.length === 0) {
    return (
      <Notice>
        <p className="waiting">
          <i aria-hidden="true" />
          {t.waiting}
        </p>
      </Notice>
    )
  }
  return (
    <Notice tone="good">
      <h3>✓ {t.arrived.title}</h3>
      <ul className="stack tight">
        {messages.slice(-SHOWN_MESSAGES).map((message) => (
          <li key={message.id} className={message.parentId === undefined ? 'said' : 'said reply'}>
            <span>
              <strong>
                <Name text={message.senderName} />
              </strong>{' '}
              <span className="soft small">
                <Time at={message.createdAt} exact />
              </span>
            </span>
            <span>{message.text}</span>
          </li>
        ))}
      </ul>
      <p>{messages.length > SHOWN_MESSAGES ? t.arrived.more(messages.length) : t.arrived.text}</p>
    </Notice>
  )
}

function BotSample({ steps, onCopied }: { steps: FirstSteps; onCopied: () => void }) {
  const t = useTexts(setup).done.bot
  const [language, setLanguage] = useState<'typescript' | 'python'>('typescript')
  const isPython = language === 'python'
  return (
    <section className="card padded whole">
      <div className="stack tight">
        <h2>{t.title}</h2>
        <p className="soft">{t.about}</p>
      </div>
      <fieldset className="segments">
        <legend className="hidden">{t.language}</legend>
        {(['typescript', 'python'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="language"
              checked={one === language}
              onChange={() => setLanguage(one)}
            />
            {t[one]}
          </label>
        ))}
      </fieldset>
      <Code
        label={t.label(t[language])}
        text={isPython ? pythonSample(steps) : typescriptSample(steps)}
        onCopied={onCopied}
      />
      <p className="soft small">{isPython ? t.runPython : t.runTypescript}</p>
    </section>
  )
}
