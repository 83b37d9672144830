import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Segmented } from '../../../kit/choice.tsx'
import { Code, Secret } from '../../../kit/copy.tsx'
import { Face } from '../../../kit/face.tsx'
import { useAskBeforeLeaving } from '../../../kit/leaving.ts'
import { BotChip } from '../../../kit/marks.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { setup } from '../../../texts/setup.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { curlSample, pythonSample, typescriptSample } from '../../../views/account/first-steps.ts'
import { useChat } from '../../store/context.tsx'
import { type BotHandover, setHandover } from './bot-handover.ts'
import styles from './bot-key.module.css'

/** The only sight of a secret, in the room that the bot will speak in. */
export default function BotKey({ handover }: { handover: BotHandover }) {
  const t = useTexts(texts).key
  const [isCopied, setCopied] = useState(false)
  const [isMore, setMore] = useState(false)
  const copied = () => setCopied(true)
  const done = useAskBeforeLeaving(!isCopied, t.leave)
  const { bot, topicId, apiKey, apiSecret, clientId, clientSecret } = handover
  const hasSpoken = useChat(({ messages }) => {
    for (const message of messages.values()) {
      if (message.senderId === bot.id && message.topicId === topicId) return true
    }
    return false
  })
  const dismiss = () => {
    if (!isCopied && !hasSpoken && !window.confirm(t.leave)) return
    done()
    setHandover(undefined)
  }
  return (
    <section className={styles.card} aria-label={t.title(bot.name)}>
      <div className={styles.head}>
        <Face member={{ ...bot, type: 'bot' }} size={32} presence={hasSpoken ? 'here' : 'away'} />
        <div className={styles.words}>
          <h2>
            <Words text={hasSpoken ? t.arrived(named(bot.name)) : t.title(named(bot.name))} /> <BotChip />
          </h2>
          <p role="status">{hasSpoken ? t.once : t.waiting}</p>
        </div>
        <Button look={hasSpoken ? 'primary' : 'quiet'} size="small" onClick={dismiss}>
          {t.dismiss}
        </Button>
      </div>
      {apiKey !== undefined && apiSecret !== undefined && (
        <>
          <Samples handover={{ apiKey, apiSecret, topicId }} onCopied={copied} />
          <Button look="link" size="small" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            {isMore ? t.less : t.more}
          </Button>
          {isMore && (
            <>
              <p>{t.once}</p>
              <Secret label={t.key} value={apiKey} />
              <Secret label={t.secret} value={apiSecret} onCopied={copied} />
            </>
          )}
        </>
      )}
      {clientId !== undefined && clientSecret !== undefined && (
        <>
          <p>{t.oauth}</p>
          <Secret label={t.clientId} value={clientId} />
          <Secret label={t.clientSecret} value={clientSecret} onCopied={copied} />
        </>
      )}
    </section>
  )
}

/** A first word by a command, or a bot with the library: both run as they stand. */
function Samples({
  handover: { apiKey, apiSecret, topicId },
  onCopied,
}: {
  handover: { apiKey: string; apiSecret: string; topicId: string }
  onCopied: () => void
}) {
  const t = useTexts(texts).key
  const s = useTexts(setup).done.bot
  const [language, setLanguage] = useState<keyof typeof samples>('curl')
  const steps = {
    server: window.location.origin,
    apiKey,
    apiSecret,
    topicId,
    greeting: t.greeting,
    answer: s.answer,
  }
  const samples = {
    curl: { about: t.about, label: t.command, text: curlSample(steps) },
    typescript: {
      about: `${s.about} ${s.runTypescript}`,
      label: s.label(s.typescript),
      text: typescriptSample(steps),
    },
    python: { about: `${s.about} ${s.runPython}`, label: s.label(s.python), text: pythonSample(steps) },
  }
  const { about, label, text } = samples[language]
  return (
    <>
      <Segmented
        label={s.language}
        value={language}
        options={[
          ['curl', s.curl],
          ['typescript', s.typescript],
          ['python', s.python],
        ]}
        onChange={setLanguage}
      />
      <p>{about}</p>
      <Code label={label} text={text} onCopied={onCopied} />
    </>
  )
}
