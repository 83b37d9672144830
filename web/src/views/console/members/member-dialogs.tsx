import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { invitePerson, Person, updatePerson } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Choices } from '../../../kit/choice.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { endOfDay } from '../../end-of-day.ts'
import { useChanged, useSettings } from '../changes.ts'
import { isPast, LastDay } from './guest-end.tsx'

const MEMBER = '/people/organizations/{organizationId}/members/{memberId}'

type Role = Person['role']
/** The ways in which a membership ends; each asks first. */
export type Ending = 'archive' | 'delete' | 'withdraw'

export function Invite({
  email: first,
  name: firstName,
  onInvited,
  onClose,
}: {
  email: string
  name: string
  onInvited: (person: Person) => void
  onClose: () => void
}) {
  const t = useTexts(members)
  const changed = useChanged()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const { organizationId } = useMembership()
  const [email, setEmail] = useState(first)
  const [name, setName] = useState(firstName)
  const [role, setRole] = useState<Role>('member')
  const [day, setDay] = useState('')
  const guestUntil = role === 'guest' ? endOfDay(day) : null
  const form = useForm<'email' | 'name' | 'day', Person>({
    asksBeforeLeaving: true,
    check: () => ({
      email: email.trim() === '' && t.inviting.emailMissing,
      day: role === 'guest' && isPast(day) && t.guestEnd.past,
    }),
    send: () =>
      call<typeof invitePerson>('POST', '/people/organizations/{organizationId}/members', {
        params: { organizationId },
        body: {
          email: email.trim(),
          role,
          ...(name.trim() !== '' && { name: name.trim() }),
          ...(guestUntil !== null && { guestUntil }),
        },
      }),
    fields: { email: 'email', name: 'name', guestUntil: 'day' },
    onDone: (person) => {
      changed('member')
      if (!sendsMail) return onInvited(person)
      showToast({ text: t.inviting.sent(named(person.email)) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title={t.inviting.title}
      action={sendsMail ? t.inviting.action : t.inviting.actionNoMail}
      onClose={onClose}
    >
      <TextField
        label={t.inviting.email}
        hint={sendsMail ? t.inviting.emailHint : t.inviting.emailHintNoMail}
        type="email"
        autoComplete="off"
        required
        value={email}
        onChange={setEmail}
        mistake={form.mistake('email')}
      />
      <TextField
        label={t.inviting.name}
        hint={t.inviting.nameHint}
        autoComplete="off"
        maxLength={LIMITS.profileName}
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
      <RoleChoices value={role} onChange={setRole} />
      {role === 'guest' && <LastDay value={day} onChange={setDay} mistake={form.mistake('day')} />}
      {role === 'guest' && <Notice>{t.guestEnd.topics}</Notice>}
      {!sendsMail && <Notice>{t.inviting.noMail}</Notice>}
    </FormDialog>
  )
}

export function RoleChoices({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const { role } = useMembership()
  const offered: readonly Role[] =
    role === 'owner' ? ['guest', 'member', 'admin', 'owner'] : ['guest', 'member', 'admin']
  return (
    <Choices
      label={t.inviting.role}
      options={offered.map((one) => ({ value: one, label: c.roles[one], about: t.roleHints[one] }))}
      value={value}
      onChange={onChange}
    />
  )
}

export function ChangeRole({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [role, setRole] = useState<Role>(person.role)
  const form = useForm<never, Person>({
    send: async () => {
      if (role === person.role) return person
      return call<typeof updatePerson>('PATCH', MEMBER, {
        params: { organizationId, memberId: person.id },
        body: { role },
      })
    },
    onDone: (after) => {
      changed('member')
      showToast({ text: t.role.changed(named(after.name), c.roles[after.role]) })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.role.title(named(person.name))} action={c.save} onClose={onClose}>
      <RoleChoices value={role} onChange={setRole} />
    </FormDialog>
  )
}

export function EndMembership({
  person,
  ending,
  onClose,
}: {
  person: Person
  ending: Ending
  onClose: () => void
}) {
  const t = useTexts(members)[ending]
  const changed = useChanged()
  const { organizationId } = useMembership()
  const change = useMutation({
    mutationFn: () =>
      call<typeof updatePerson>('PATCH', MEMBER, {
        params: { organizationId, memberId: person.id },
        body: { status: ending === 'archive' ? 'Archived' : 'Deleted' },
      }),
    onSuccess: () => {
      changed('member', 'org_unit')
      showToast({ text: t.done(named(person.name)) })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(person.name))}
      text={t.text}
      costs={Object.values(t.costs)}
      action={t.action}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  )
}
