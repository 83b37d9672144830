import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { invitePerson, Person, updatePerson } from '../../../../contract/people/members.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button, Choices, Notice } from '../../ui/controls.tsx'
import { CancelButton, Confirm, Dialog } from '../../ui/dialog.tsx'
import { Form, TextField, useForm } from '../../ui/form.tsx'
import { named } from '../../ui/name.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useChanged, useSettings } from './changes.ts'

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
  const toast = useToast()
  const changed = useChanged()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const { organizationId } = useMembership()
  const [email, setEmail] = useState(first)
  const [name, setName] = useState(firstName)
  const [role, setRole] = useState<Role>('member')
  const form = useForm<'email' | 'name', Person>({
    asksBeforeLeaving: true,
    check: () => ({ email: email.trim() === '' && t.inviting.emailMissing }),
    send: () =>
      call<typeof invitePerson>('POST', '/people/organizations/{organizationId}/members', {
        params: { organizationId },
        body: { email: email.trim(), role, ...(name.trim() !== '' && { name: name.trim() }) },
      }),
    fieldOf: (refusal) => {
      if (/^(invalid e-mail address|email )/.test(refusal)) return 'email'
      return refusal.startsWith('name ') ? 'name' : undefined
    },
    onDone: (person) => {
      changed('member')
      if (!sendsMail) return onInvited(person)
      toast(t.inviting.sent(named(person.email)))
      onClose()
    },
  })
  return (
    <Dialog title={t.inviting.title} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {sendsMail ? t.inviting.action : t.inviting.actionNoMail}
            </Button>
          </>
        }
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
        {!sendsMail && <Notice>{t.inviting.noMail}</Notice>}
      </Form>
    </Dialog>
  )
}

function RoleChoices({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const { role } = useMembership()
  const offered: readonly Role[] = role === 'owner' ? ['member', 'admin', 'owner'] : ['member', 'admin']
  return (
    <Choices
      legend={t.inviting.role}
      name="role"
      choices={offered.map((one) => ({ value: one, label: c.roles[one], hint: t.roleHints[one] }))}
      value={value}
      onChange={onChange}
    />
  )
}

export function ChangeRole({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const toast = useToast()
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
      toast(t.role.changed(named(after.name), c.roles[after.role]))
      onClose()
    },
  })
  return (
    <Dialog title={t.role.title(named(person.name))} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {c.save}
            </Button>
          </>
        }
      >
        <RoleChoices value={role} onChange={setRole} />
      </Form>
    </Dialog>
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
  const toast = useToast()
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
      toast(t.done(named(person.name)))
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(person.name))}
      text={t.text}
      action={t.action}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate()}
      onClose={onClose}
    />
  )
}
