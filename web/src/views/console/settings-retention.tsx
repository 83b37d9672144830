import { useContext, useState } from 'react'
import type { OrganizationSettings, previewRetention } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { Choices } from '../../kit/choice.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { FormCard, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { useSettingsChange } from './changes.ts'

const RETENTION_MIN = 0.01
const RETENTION_MAX = 3650
/** Plain numbers only: what "1.000" means depends on who writes it. */
const DAYS = /^\d{1,4}([.,]\d{1,2})?$/
/** The server counts no further. */
const MAX_COUNTED = 10_000

type Losses = { deliveries: number; updates: number }
const NOTHING: Losses = { deliveries: 0, updates: 0 }

/** How long events are kept. A time by which bots would lose something is asked about first. */
export function Retention({ settings: { retentionDays, server } }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).retention
  const c = useTexts(common)
  const language = useContext(LanguageContext)
  const change = useSettingsChange()
  const { organizationId } = useMembership()
  const preview = (days: number | null) =>
    call<typeof previewRetention>('GET', '/people/organizations/{organizationId}/retention', {
      params: { organizationId },
      query: days === null ? {} : { retentionDays: days },
    })
  const [choice, setChoice] = useState<'server' | 'own'>(retentionDays === null ? 'server' : 'own')
  const written = (days: number) => days.toLocaleString(language, { useGrouping: false })
  const [own, setOwn] = useState(written(retentionDays ?? server.retentionDays))
  const days = Number(own.trim().replace(',', '.'))
  const most = Math.min(server.retentionDays, RETENTION_MAX)
  const isValid = DAYS.test(own.trim()) && days >= RETENTION_MIN && days <= most
  const value = choice === 'own' ? days : null
  const [losses, setLosses] = useState<Losses>()
  const form = useForm<'own', OrganizationSettings | Losses>({
    check: () => ({
      own: choice === 'own' && !isValid && t.invalid(written(most)),
    }),
    isSame: value === retentionDays,
    asksBeforeLeaving: true,
    send: async () => {
      const lost = losses ? NOTHING : await preview(value)
      return lost.deliveries + lost.updates > 0 ? lost : change({ retentionDays: value })
    },
    fields: { retentionDays: 'own' },
    onDone: (saved) => {
      if ('deliveries' in saved) {
        form.touch() // nothing is stored yet
        return setLosses(saved)
      }
      setLosses(undefined)
      if (saved.retentionDays !== null) setOwn(written(saved.retentionDays))
      showToast({ text: t.saved })
    },
  })
  const shownCount = (count: number) =>
    count < MAX_COUNTED ? count.toLocaleString(language) : t.losing.atLeast(count.toLocaleString(language))
  const partsOf = ({ deliveries, updates }: Losses) =>
    [
      deliveries > 0 && t.losing.deliveries(deliveries, shownCount(deliveries)),
      updates > 0 && t.losing.updates(updates, shownCount(updates)),
    ]
      .filter(Boolean)
      .join(t.losing.and)
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Choices
        label={t.legend}
        options={[
          {
            value: 'server',
            label: t.server,
            about: t.serverHint(t.days(server.retentionDays, server.retentionDays.toLocaleString(language))),
          },
          { value: 'own', label: t.own },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'own' && (
        <TextField
          label={t.ownLabel}
          hint={t.ownHint(t.days(most, written(most)))}
          inputMode="decimal"
          autoComplete="off"
          required
          value={own}
          onChange={setOwn}
          mistake={form.mistake('own')}
        />
      )}
      {losses && (
        <Confirm
          title={t.losing.title}
          text={t.losing.text(partsOf(losses))}
          action={t.losing.action}
          busy={form.busy}
          error={form.error}
          onConfirm={form.submit}
          onClose={() => setLosses(undefined)}
        />
      )}
    </FormCard>
  )
}
