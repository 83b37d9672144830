import { useState } from 'react'
import type { ConsoleTopic } from '../../../../../contract/people/topics.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { named } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ReachField } from '../../reach-field.tsx'
import { type Candidate, MemberPicker } from '../pickers.tsx'
import { useMembersChange } from './topic-data.ts'

export function AddMembers({ topic, onClose }: { topic: ConsoleTopic; onClose: () => void }) {
  const t = useTexts(consoleTopics).one.adding
  const [chosen, setChosen] = useState<readonly Candidate[]>([])
  const [reach, setReach] = useState<Reach>('everything')
  const { add } = useMembersChange(topic.id)
  const form = useForm<'members', ConsoleTopic>({
    check: () => ({ members: chosen.length === 0 && t.missing }),
    send: () =>
      add(
        chosen.map(({ id }) => id),
        reach,
      ),
    onDone: () => {
      showToast({ text: t.done(chosen.length) })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title(named(topic.name))} action={t.action} onClose={onClose}>
      <MemberPicker
        withBots
        label={t.label}
        placeholder={t.placeholder}
        hint={t.hint}
        chosen={chosen}
        onChange={setChosen}
        max={100}
        autoFocus
      />
      {chosen.some(({ type }) => type === 'bot') && <ReachField value={reach} onChange={setReach} />}
      {form.mistake('members') && <Notice tone="bad">{form.mistake('members')}</Notice>}
    </FormDialog>
  )
}
