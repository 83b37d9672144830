import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useContext, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../../contract/people/organization.ts'
import type { MessagesDue, previewKeptMessages } from '../../../../../contract/people/records.ts'
import type { ConsoleTopic } from '../../../../../contract/people/topics.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Choices } from '../../../kit/choice.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import { Card, FormCard, FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Quiet } from '../../../kit/layout.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { recordsTexts } from '../../../texts/records.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { useSettings, useSettingsChange } from '../changes.ts'
import { useTopicChange } from '../topics/topic-data.ts'

/** Plain numbers only: what "1.000" means depends on who writes it. */
const WHOLE = /^\d{1,5}$/
const USUAL_DAYS = 90
/** The server counts no further. */
const MAX_COUNTED = 100_000

type Choice = 'organization' | 'forEver' | 'days'

/** State of the choice "forever" or a number of days. A time that deletes messages asks first, with their number. */
function useKept({
  kept,
  forEver,
  topicId,
  inherited = null,
  change,
  onDone,
}: {
  /** The stored value. */
  kept: number | null
  /** The value that is stored for "for ever". */
  forEver: number | null
  topicId?: string
  /** The value that applies if none is set. */
  inherited?: number | null
  change: (keepMessagesDays: number | null) => Promise<unknown>
  onDone: () => void
}) {
  const t = useTexts(recordsTexts).keep
  const language = useContext(LanguageContext)
  const { organizationId } = useMembership()
  const [choice, setChoice] = useState<Choice>(
    kept === forEver ? 'forEver' : kept === null ? 'organization' : 'days',
  )
  const [written, setWritten] = useState(String(kept || USUAL_DAYS))
  const [due, setDue] = useState<MessagesDue>()
  const own = Number(written.trim())
  const isValid = WHOLE.test(written.trim()) && own >= 1 && own <= LIMITS.keepMessagesDays
  const value = choice === 'days' ? own : choice === 'forEver' ? forEver : null
  const days = choice === 'days' ? own : choice === 'organization' ? (inherited ?? 0) : 0
  const shown = (count: number) => count.toLocaleString(language)
  const daysOf = (stored: number | null) => (stored ?? inherited) || Number.POSITIVE_INFINITY
  /** A shorter time counts a day later. */
  const isDelayed = daysOf(value) < daysOf(kept)
  const preview = () =>
    call<typeof previewKeptMessages>('GET', '/people/organizations/{organizationId}/kept-messages', {
      params: { organizationId },
      query: { days, ...(topicId !== undefined && { topicId }) },
    })
  const form = useForm<'days', MessagesDue | undefined>({
    check: () => ({ days: choice === 'days' && !isValid && t.invalid(shown(LIMITS.keepMessagesDays)) }),
    isSame: value === kept,
    asksBeforeLeaving: topicId === undefined,
    send: async () => {
      const costs = days > 0 && !due ? await preview() : undefined
      if (costs && costs.messages > 0) return costs
      await change(value)
      return undefined
    },
    onDone: (costs) => {
      if (costs) {
        form.touch() // nothing is stored yet
        return setDue(costs)
      }
      setDue(undefined)
      showToast({ text: isDelayed ? t.planned : t.saved })
      onDone()
    },
  })
  const fields = (
    <>
      <Choices
        label={t.legend}
        options={[
          ...(topicId === undefined ? [] : [{ value: 'organization' as const, label: t.organization }]),
          { value: 'forEver' as const, label: t.forEver },
          { value: 'days' as const, label: t.days },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'days' && (
        <TextField
          label={t.label}
          inputMode="numeric"
          autoComplete="off"
          required
          value={written}
          onChange={setWritten}
          mistake={form.mistake('days')}
        />
      )}
    </>
  )
  const count = due?.messages ?? 0
  const counted = count < MAX_COUNTED ? shown(count) : t.costs.atLeast(shown(count))
  const asked = due && (
    <Confirm
      title={t.costs.title(count, shown(count))}
      text={t.costs.text(count, counted, t.costs.days(days, shown(days)))}
      costs={[t.costs.with, ...(isDelayed ? [t.costs.inADay] : [t.costs.begins, t.costs.way])]}
      action={t.costs.action}
      busy={form.busy}
      error={form.error}
      onConfirm={form.submit}
      onClose={() => setDue(undefined)}
    />
  )
  return { form, fields, asked }
}

/** How long messages of the organization are kept. */
export function KeepMessages({ settings }: { settings: OrganizationSettings }) {
  const t = useTexts(recordsTexts).keep
  const { role } = useMembership()
  const language = useContext(LanguageContext)
  const { keepMessagesDays: days, keepMessagesNext: next } = settings
  const planned = next && <Planned next={next} kept={days} isOwner={role === 'owner'} />
  if (role === 'owner') return <ChooseKept key={String(days)} kept={days} planned={planned} />
  return (
    <Card title={t.title} about={t.about}>
      <p>{days === null ? t.forEverNow : t.daysNow(days, days.toLocaleString(language))}</p>
      {planned}
      <Quiet>{t.forOwners}</Quiet>
    </Card>
  )
}

/** A shorter time that does not count yet. */
function Planned({
  next,
  kept,
  isOwner,
}: {
  next: NonNullable<OrganizationSettings['keepMessagesNext']>
  kept: number | null
  isOwner: boolean
}) {
  const t = useTexts(recordsTexts).keep
  const language = useContext(LanguageContext)
  const change = useSettingsChange()
  const errorText = useErrorText()
  const takeBack = useMutation({
    mutationFn: () => change({ keepMessagesDays: kept }),
    onSuccess: () => showToast({ text: t.takenBack }),
    onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
  })
  return (
    <Notice tone="warn">
      <p>
        <Words text={t.plannedNow(next.days, next.days.toLocaleString(language), named(next.by.name))} />{' '}
        <Time at={next.at} exact />
      </p>
      {isOwner && (
        <Button size="small" busy={takeBack.isPending} onClick={() => takeBack.mutate()}>
          {t.takeBack}
        </Button>
      )}
    </Notice>
  )
}

function ChooseKept({ kept, planned }: { kept: number | null; planned: ReactNode }) {
  const t = useTexts(recordsTexts).keep
  const c = useTexts(common)
  const change = useSettingsChange()
  const { form, fields, asked } = useKept({
    kept,
    forEver: null,
    change: (keepMessagesDays) => change({ keepMessagesDays }),
    onDone: () => {},
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      {planned}
      {fields}
      {asked}
    </FormCard>
  )
}

/** How long messages of one topic are kept. */
export default function KeepTopicMessages({ topic, onClose }: { topic: ConsoleTopic; onClose: () => void }) {
  const t = useTexts(recordsTexts).topic
  const { role } = useMembership()
  const { mutateAsync } = useTopicChange(() => {})
  const { form, fields, asked } = useKept({
    kept: topic.keepMessagesDays,
    forEver: 0,
    topicId: topic.id,
    inherited: useSettings().data?.keepMessagesDays ?? null,
    change: (keepMessagesDays) => mutateAsync({ topicId: topic.id, keepMessagesDays }),
    onDone: onClose,
  })
  if (asked) return asked
  return (
    <FormDialog form={form} title={t.title(named(topic.name))} action={t.button} onClose={onClose}>
      {fields}
      {role !== 'owner' && <Quiet>{t.forOwners}</Quiet>}
    </FormDialog>
  )
}
