import { useState } from 'react'
import type { Credentials } from '../../../../../contract/people/bots.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Notice } from '../../../ui/controls.tsx'
import { Code, Secret } from '../../../ui/copy.tsx'
import { useAskBeforeLeaving } from '../../../ui/leaving.ts'
import { envFile, firstTarget, signedCall, tokenCall } from './snippets.ts'

/** The only sight of a secret: values to copy, ready for a program and for a terminal. */
export function Handover({ credentials }: { credentials: Credentials }) {
  const t = useTexts(texts)
  const [isCopied, setCopied] = useState(false)
  const copied = () => setCopied(true)
  useAskBeforeLeaving(!isCopied, t.handover.leave)
  const { bot, apiKey, apiSecret, clientSecret } = credentials
  // The client id of a bot is its own id; the answer to a new secret does not repeat it.
  const clientId = clientSecret === undefined ? undefined : (credentials.clientId ?? bot.id)
  const known: Credentials = { ...credentials, ...(clientId !== undefined && { clientId }) }
  const baseUrl = window.location.origin
  return (
    <div className="form">
      <Notice tone="warn">
        <strong>{t.handover.once}</strong>
        <p>{t.handover.onceMore}</p>
      </Notice>
      {apiKey !== undefined && <Secret label={t.handover.apiKey} value={apiKey} />}
      {clientId !== undefined && <Secret label={t.handover.clientId} value={clientId} />}
      {apiSecret !== undefined && <Secret label={t.handover.apiSecret} value={apiSecret} onCopied={copied} />}
      {clientSecret !== undefined && (
        <Secret label={t.handover.clientSecret} value={clientSecret} onCopied={copied} />
      )}
      {apiSecret !== undefined && apiKey === undefined && <p className="soft small">{t.handover.keySame}</p>}
      <div className="stack tight">
        <h2>{t.handover.env}</h2>
        <p className="soft small">{t.handover.envHint}</p>
        <Code label={t.handover.env} text={envFile(baseUrl, known)} onCopied={copied} />
      </div>
      <FirstCall baseUrl={baseUrl} credentials={known} onCopied={copied} />
    </div>
  )
}

function FirstCall({
  baseUrl,
  credentials,
  onCopied,
}: {
  baseUrl: string
  credentials: Credentials
  onCopied: () => void
}) {
  const t = useTexts(texts)
  const { bot, apiKey, apiSecret, clientId, clientSecret } = credentials
  const show = (about: string, text: string) => (
    <div className="stack tight">
      <h2>{t.handover.try}</h2>
      <p className="soft small">
        {about} {t.handover.tryHint}
      </p>
      <Code label={t.handover.try} text={text} onCopied={onCopied} />
    </div>
  )
  if (apiKey !== undefined && apiSecret !== undefined) {
    return show(t.handover.tryStatic, signedCall(baseUrl, apiKey, apiSecret))
  }
  if (clientId === undefined || clientSecret === undefined) return null
  const target = firstTarget(bot.scopes ?? [])
  return show(
    target === undefined ? t.handover.tryToken : t.handover.tryOAuth,
    tokenCall(baseUrl, { clientId, clientSecret }, target),
  )
}
