import { useState } from 'react'
import type { Credentials } from '../../../../../contract/people/bots.ts'
import { Code, Secret } from '../../../kit/copy.tsx'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import { useAskBeforeLeaving } from '../../../kit/leaving.ts'
import { Notice } from '../../../kit/notice.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { envFile, firstTarget, signedCall, tokenCall } from './snippets.ts'

/** The only sight of a secret: values to copy, ready for a program and for a terminal. */
export function Handover({
  credentials,
  controlTopicId,
}: {
  credentials: Credentials
  /** A topic that the bot is in: agent plugins take it with key and secret, in one token. */
  controlTopicId?: string | undefined
}) {
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
    <Stack>
      <Notice tone="warn">
        <strong>{t.handover.once}</strong>
        <p>{t.handover.onceMore}</p>
      </Notice>
      {apiKey !== undefined && <Secret label={t.handover.apiKey} value={apiKey} />}
      {clientId !== undefined && <Secret label={t.handover.clientId} value={clientId} />}
      {apiSecret !== undefined && <Secret label={t.handover.apiSecret} value={apiSecret} onCopied={copied} />}
      {apiKey !== undefined && apiSecret !== undefined && controlTopicId !== undefined && (
        <Stack tight>
          <Secret
            label={t.handover.oneToken}
            value={btoa(`${controlTopicId}:${apiKey}:${apiSecret}`)}
            onCopied={copied}
          />
          <Quiet small>{t.handover.oneTokenHint}</Quiet>
        </Stack>
      )}
      {clientSecret !== undefined && (
        <Secret label={t.handover.clientSecret} value={clientSecret} onCopied={copied} />
      )}
      {apiSecret !== undefined && apiKey === undefined && <Quiet small>{t.handover.keySame}</Quiet>}
      <Stack tight>
        <h2>{t.handover.env}</h2>
        <Quiet small>{t.handover.envHint}</Quiet>
        <Code label={t.handover.env} text={envFile(baseUrl, known)} onCopied={copied} />
      </Stack>
      <FirstCall baseUrl={baseUrl} credentials={known} onCopied={copied} />
    </Stack>
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
    <Stack tight>
      <h2>{t.handover.try}</h2>
      <Quiet small>
        {about} {t.handover.tryHint}
      </Quiet>
      <Code label={t.handover.try} text={text} onCopied={onCopied} />
    </Stack>
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
