import { useContext, useState } from 'react'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { FormCard, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Facts } from '../../../kit/layout.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { useUpdateBot } from './bot-data.ts'

/** Plain digits only: what "1.000" means depends on who writes it. */
const WHOLE_NUMBER = /^[1-9]\d{0,11}$/
const isBudget = (text: string): boolean => text === '' || WHOLE_NUMBER.test(text)
const budgetIn = (text: string): number | null => (text === '' ? null : Number(text))

/** A bot's daily limits, and its usage today. */
export function Budget({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).budget
  const c = useTexts(common)
  const { messagesPerDay, tokensPerDay } = bot.budget
  const update = useUpdateBot(bot.id)
  const [draft, setDraft] = useState<{ messages?: string; tokens?: string }>({})
  const messages = (draft.messages ?? String(messagesPerDay ?? '')).trim()
  const tokens = (draft.tokens ?? String(tokensPerDay ?? '')).trim()
  const changes = {
    ...(budgetIn(messages) !== messagesPerDay && { messagesPerDay: budgetIn(messages) }),
    ...(budgetIn(tokens) !== tokensPerDay && { tokensPerDay: budgetIn(tokens) }),
  }
  const form = useForm<'messages' | 'tokens', ConsoleBot>({
    check: () => ({
      messages: !isBudget(messages) && t.mistake,
      tokens: !isBudget(tokens) && t.mistake,
    }),
    isSame: Object.keys(changes).length === 0,
    asksBeforeLeaving: true,
    send: () => update.mutateAsync(changes),
    onDone: () => {
      setDraft({})
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <UsedToday bot={bot} />
      <TextField
        label={t.messages}
        hint={t.empty}
        mistake={form.mistake('messages')}
        inputMode="numeric"
        autoComplete="off"
        value={draft.messages ?? messages}
        onChange={(text) => setDraft({ ...draft, messages: text })}
      />
      <TextField
        label={t.tokens}
        hint={`${t.tokensHint} ${t.empty}`}
        mistake={form.mistake('tokens')}
        inputMode="numeric"
        autoComplete="off"
        value={draft.tokens ?? tokens}
        onChange={(text) => setDraft({ ...draft, tokens: text })}
      />
    </FormCard>
  )
}

/** Messages are counted only where there is a budget; tokens always, where the bot reports them. */
function UsedToday({ bot: { budget, usedToday } }: { bot: ConsoleBot }) {
  const t = useTexts(texts).budget
  const language = useContext(LanguageContext)
  if (!usedToday) return null
  const { messagesPerDay, tokensPerDay } = budget
  const written = (number: number) => number.toLocaleString(language)
  const shown = [
    messagesPerDay !== null && t.usedMessages(written(usedToday.messages), written(messagesPerDay)),
    tokensPerDay !== null
      ? t.usedTokens(written(usedToday.tokens), written(tokensPerDay))
      : usedToday.tokens > 0 && t.reportedTokens(written(usedToday.tokens)),
  ].filter((text) => text !== false)
  if (shown.length === 0) return null
  return (
    <Facts>
      <dt>{t.usedToday}</dt>
      <dd>{shown.join(', ')}</dd>
    </Facts>
  )
}
