import { useState } from 'react'
import { useLocation } from 'wouter'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import { Choices } from '../../../kit/choice.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { ReachField } from '../../../views/reach-field.tsx'
import { useChatActions } from '../../store/context.tsx'
import { topicPath } from '../addresses.ts'
import { useSubmit } from '../frame/attempt.ts'
import { MemberPicker } from './member-picker.tsx'

export default function CreateTopic({
  name: suggested = '',
  onClose,
}: {
  name?: string
  onClose: () => void
}) {
  const t = useTexts(texts)
  const actions = useChatActions()
  const [, navigate] = useLocation()
  const { busy, failure, submit } = useSubmit()
  const [name, setName] = useState(suggested)
  const [wasSent, setSent] = useState(false)
  const [members, setMembers] = useState<ChatMember[]>([])
  const [visibility, setVisibility] = useState<'open' | 'closed'>('open')
  const [writers, setWriters] = useState<'everyone' | 'admins'>('everyone')
  const [reach, setReach] = useState<Reach>('everything')
  const bots = members.filter(({ type }) => type === 'bot').map((bot) => bot.name)
  const create = async () => {
    setSent(true)
    if (name.trim() === '') return
    const done = await submit(async () => {
      const topic = await actions.createTopic({
        name: name.trim(),
        members: members.map(({ id }) => id),
        ...(bots.length > 0 && { reach }),
        open: visibility === 'open',
        announcement: writers === 'admins',
      })
      navigate(topicPath(topic.id))
    })
    if (done) onClose()
  }
  return (
    <Dialog title={t.create.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void create()}>
        <DialogBody>
          <Field
            label={t.name}
            end={`${name.length} / ${LIMITS.topicName}`}
            mistake={wasSent && name.trim() === '' ? t.nameMissing : failure}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                autoFocus
                value={name}
                placeholder={t.create.namePlaceholder}
                maxLength={LIMITS.topicName}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
          <MemberPicker
            label={t.create.members}
            placeholder={t.create.membersPlaceholder}
            hint={bots.length > 0 ? t.create.botHint(bots.join(', ')) : undefined}
            chosen={members}
            onChange={setMembers}
            max={LIMITS.topicMembersOnCreation}
          />
          {bots.length > 0 && <ReachField value={reach} onChange={setReach} />}
          <Choices
            label={t.create.visibility}
            value={visibility}
            onChange={setVisibility}
            options={[
              { value: 'open', label: t.create.open, about: t.create.openAbout },
              { value: 'closed', label: t.create.closed, about: t.create.closedAbout },
            ]}
          />
          <Choices
            label={t.create.writers}
            value={writers}
            onChange={setWriters}
            options={[
              { value: 'everyone', label: t.create.everyone, about: t.create.everyoneAbout },
              { value: 'admins', label: t.create.admins, about: t.create.adminsAbout },
            ]}
          />
        </DialogBody>
        <DialogActions action={t.create.action} />
      </DialogForm>
    </Dialog>
  )
}
