import { useState } from 'react'
import type { Person, updatePerson } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { dayOf, endOfDay } from '../../end-of-day.ts'
import { useChanged } from '../changes.ts'

/** Sets the day with which a guest's access ends, or takes it away. */
export function GuestEnd({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members).guestEnd
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [day, setDay] = useState(dayOf(person.guestUntil))
  const form = useForm<'day', Person>({
    check: () => ({ day: isPast(day) && t.past }),
    send: () =>
      call<typeof updatePerson>('PATCH', '/people/organizations/{organizationId}/members/{memberId}', {
        params: { organizationId, memberId: person.id },
        body: { guestUntil: endOfDay(day) },
      }),
    fields: { guestUntil: 'day' },
    onDone: ({ name }) => {
      changed('member')
      showToast({ text: t.saved(named(name)) })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title(named(person.name))} action={c.save} onClose={onClose}>
      <LastDay value={day} onChange={setDay} mistake={form.mistake('day')} />
    </FormDialog>
  )
}

export const isPast = (day: string): boolean => {
  const at = endOfDay(day)
  return at !== null && at <= Date.now()
}

export function LastDay({
  value,
  onChange,
  mistake,
}: {
  value: string
  onChange: (day: string) => void
  mistake: string | undefined
}) {
  const t = useTexts(members).guestEnd
  return (
    <TextField
      label={t.label}
      hint={t.hint}
      type="date"
      autoComplete="off"
      value={value}
      onChange={onChange}
      mistake={mistake}
    />
  )
}
