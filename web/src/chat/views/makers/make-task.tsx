import { useEffect, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { Message } from '../../../../../contract/message.ts'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Face } from '../../../kit/face.tsx'
import { Field, TextArea, TextInput } from '../../../kit/field.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { ConversationPlace, TaskChange, TaskDraft, TaskState } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useFoundMembers } from '../../store/found-members.ts'
import { permalinkOf } from '../addresses.ts'
import { excerptOf } from '../conversation/markdown/excerpt.ts'
import { useNames } from '../conversation/message/people.ts'
import { useSubmit } from '../frame/attempt.ts'
import { MomentField, momentOf, writtenMoment } from './moment-field.tsx'

/** Makes a task, from nothing or from a message, or changes one. */
export default function MakeTask({
  place,
  from,
  message,
  task,
  onClose,
}: {
  place: ConversationPlace
  from: TaskDraft | undefined
  message: Message | undefined
  task: TaskState | undefined
  onClose: () => void
}) {
  const t = useTexts(makerTexts).task
  const actions = useChatActions()
  const nameOf = useNames()
  const { busy, failure, submit } = useSubmit()
  const said = message && excerptOf(message.text, nameOf)
  const start = task ?? from
  const [title, setTitle] = useState(start?.title ?? said?.slice(0, LIMITS.taskTitle) ?? '')
  const [description, setDescription] = useState(
    start?.description ?? (message ? t.from(permalinkOf(message.id)) : ''),
  )
  const [due, setDue] = useState(writtenMoment(start?.dueDate ?? 0))
  const [wasSent, setSent] = useState(false)
  const [search, setSearch] = useState('')
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const members = useTopicMembers(place.topicId, search)
  const [assignee, setAssignee] = useState(start?.assignee ?? '')
  const assigned = useChat((state) => state.members.get(assignee))
  const chosen = assigned ? [assigned] : []
  const save = async () => {
    setSent(true)
    if (title.trim() === '') return
    const wanted = { title: title.trim(), description, assignee, dueDate: momentOf(due) }
    if (!task) {
      actions.sendCard(place, { kind: 'task', task: wanted })
      onClose()
      return
    }
    const change: TaskChange = {
      ...(wanted.title !== task.title && { title: wanted.title }),
      ...(wanted.description !== task.description && { description }),
      ...(wanted.assignee !== task.assignee && { assignee }),
      ...(wanted.dueDate !== task.dueDate && { dueDate: wanted.dueDate }),
    }
    const isSame = Object.keys(change).length === 0
    if (isSame || (await submit(() => actions.updateTask(task, change)))) onClose()
  }
  return (
    <Dialog title={task ? t.edit : t.title} busy={busy} onClose={onClose}>
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          <Field label={t.what} mistake={wasSent && title.trim() === '' ? t.whatMissing : failure}>
            {(wiring) => (
              <TextInput
                {...wiring}
                autoFocus
                value={title}
                maxLength={LIMITS.taskTitle}
                onChange={({ target }) => setTitle(target.value)}
              />
            )}
          </Field>
          <Field label={t.more}>
            {(wiring) => (
              <TextArea
                {...wiring}
                value={description}
                maxLength={LIMITS.taskDescription}
                onChange={({ target }) => setDescription(target.value)}
              />
            )}
          </Field>
          <Combobox
            label={t.who}
            placeholder={t.whoPlaceholder}
            items={members}
            chosen={chosen}
            max={1}
            {...(hasMany && { onSearch: setSearch })}
            onChange={([one]) => setAssignee(one?.id ?? '')}
            mark={(member, size) => <Face member={member} size={size} />}
            note={(member) =>
              member.type === 'bot' || member.role === 'guest' ? <MemberChip {...member} /> : member.email
            }
          />
          <MomentField label={t.due} value={due} onChange={setDue} />
        </DialogBody>
        <DialogActions action={task ? t.save : t.act} />
      </DialogForm>
    </Dialog>
  )
}

/** Rows of a search. */
const FOUND = 50

/** Members of the topic; a list of topics names only the first few of them. */
function useTopicMembers(topicId: string, search: string): ChatMember[] {
  const actions = useChatActions()
  const topic = useChat((state) => state.topics.get(topicId))
  const members = useChat((state) => state.members)
  const isWhole = topic !== undefined && topic.memberIds.length >= topic.memberCount
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const found = useFoundMembers(true, { search, topicId, limit: FOUND })
  useEffect(() => {
    if (!isWhole && !hasMany) void actions.readTopic(topicId).catch(() => {}) // those who are known can still be chosen
  }, [isWhole, hasMany, topicId, actions])
  const listed = hasMany ? (found ?? []) : (topic?.memberIds ?? []).flatMap((id) => members.get(id) ?? [])
  return listed
    .filter(({ status }) => status === 'Active' || status === 'Pending')
    .sort((one, other) => one.name.localeCompare(other.name))
}
