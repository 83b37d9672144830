import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { ContactDraft, ConversationPlace } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { MemberPicker } from '../dialogs/member-picker.tsx'

export default function MakeContact({
  place,
  from,
  onClose,
}: {
  place: ConversationPlace
  from: ContactDraft | undefined
  onClose: () => void
}) {
  const t = useTexts(makerTexts).contact
  const actions = useChatActions()
  const known = useChat((state) => state.members.get(from?.profileId ?? ''))
  const [member, setMember] = useState(known)
  const [name, setName] = useState(from?.name ?? '')
  const [role, setRole] = useState(from?.role ?? '')
  const [phone, setPhone] = useState(from?.phoneNumbers?.[0] ?? '')
  const [email, setEmail] = useState(from?.emails?.[0] ?? '')
  const [wasSent, setSent] = useState(false)
  const choose = ([chosen]: ChatMember[]) => {
    setMember(chosen)
    if (!chosen) return
    setName(chosen.name)
    setEmail(chosen.email)
  }
  const send = () => {
    setSent(true)
    if (name.trim() === '') return
    const contact: ContactDraft = {
      name: name.trim(),
      ...(role.trim() !== '' && { role: role.trim() }),
      ...(phone.trim() !== '' && { phoneNumbers: [phone.trim()] }),
      ...(email.trim() !== '' && { emails: [email.trim()] }),
      ...(member && { profileId: member.id }),
    }
    actions.sendCard(place, { kind: 'contact', contact })
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogForm onSubmit={send}>
        <DialogBody>
          <MemberPicker
            label={t.member}
            placeholder={t.memberPlaceholder}
            chosen={member ? [member] : []}
            onChange={choose}
            max={1}
          />
          <Field label={t.name} mistake={wasSent && name.trim() === '' ? t.nameMissing : undefined}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={name}
                maxLength={LIMITS.contactLine}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field label={t.role}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={role}
                maxLength={LIMITS.contactLine}
                onChange={({ target }) => setRole(target.value)}
              />
            )}
          </Field>
          <Field label={t.phone}>
            {(wiring) => (
              <TextInput
                {...wiring}
                type="tel"
                value={phone}
                maxLength={LIMITS.contactLine}
                onChange={({ target }) => setPhone(target.value)}
              />
            )}
          </Field>
          <Field label={t.email}>
            {(wiring) => (
              <TextInput
                {...wiring}
                type="email"
                value={email}
                maxLength={LIMITS.email}
                onChange={({ target }) => setEmail(target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogActions action={t.act} />
      </DialogForm>
    </Dialog>
  )
}
