import type { ActionAnswer, Outcome } from '../../../../contract/actions.ts'
import type { Message } from '../../../../contract/message.ts'
import type {
  ActionNote,
  ChatTask,
  PollResults,
  PollState,
} from '../../../../contract/people/card-records.ts'
import type { OutgoingCard, TaskState } from '../model.ts'
import type { LogEvent } from './events.ts'
import type { StateEdit } from './state-edit.ts'

/** Applies an event to polls, tasks and answers to bots. An older state than the one that is known changes nothing. */
export function applyCards(edit: StateEdit, event: LogEvent): void {
  switch (event.type) {
    case 'message.created': {
      const { message } = event.data
      if (message.poll && !edit.polls.has(message.poll.id)) {
        edit.polls.set(message.poll.id, unansweredPoll(message.poll))
      }
      if (message.task) {
        edit.taskPosition = Math.max(edit.taskPosition, event.position)
        putTask(edit, message.task.id, message.task.action === 'Deleted' ? null : toldTask(message))
      }
      return
    }
    case 'poll.updated': {
      const { messageId, poll, closedAt } = event.data
      putResults(edit, poll)
      const message = edit.messages.get(messageId)
      if (closedAt === undefined || !message?.poll || message.poll.status === 'closed') return
      edit.messages.set(messageId, {
        ...message,
        poll: { ...message.poll, status: 'closed' },
        updatedAt: closedAt,
      })
      return
    }
    case 'poll.voted': {
      const { pollId, version, optionIds } = event.data
      const known = edit.polls.get(pollId)
      if (known && version >= known.version) edit.polls.set(pollId, { ...known, own: optionIds })
      return
    }
    case 'message.answered': {
      const { messageId, actionsId, answer, outcome } = event.data
      if (answer) addAnswer(edit, messageId, actionsId, answer)
      if (outcome) putOutcome(edit, messageId, actionsId, outcome)
      return
    }
    case 'action.noted': {
      const { messageId, actionId, text, senderId, senderName } = event.data
      const sender = senderId !== undefined && senderName !== undefined && { senderId, senderName }
      putNote(edit, { messageId, actionId, text, ...sender })
      return
    }
    case 'task.moved':
      edit.taskPosition = Math.max(edit.taskPosition, event.position)
      return
  }
}

const unansweredPoll = ({ id, status, options }: NonNullable<Message['poll']>): PollState => ({
  id,
  version: 0,
  status,
  voters: 0,
  options: options.map((option) => ({ id: option.id, count: 0, voterIds: [] })),
  own: [],
})

function putResults(edit: StateEdit, results: PollResults): void {
  const known = edit.polls.get(results.id)
  if (known && results.version <= known.version) return
  edit.polls.set(results.id, { ...results, own: known?.own ?? [] })
}

function putOutcome(edit: StateEdit, messageId: string, actionsId: string, outcome: Outcome): void {
  const message = edit.messages.get(messageId)
  if (message?.actions?.id !== actionsId) return
  edit.messages.set(messageId, { ...message, actions: { ...message.actions, outcome } })
}

/** Adds an answer to a bot's question. A question that was replaced takes none. */
function addAnswer(edit: StateEdit, messageId: string, actionsId: string, answer: ActionAnswer): void {
  const message = edit.messages.get(messageId)
  if (message?.actions?.id !== actionsId) return
  if (message.actions.answers.some(({ id }) => id === answer.id)) return
  const answers = [...message.actions.answers, answer]
  edit.messages.set(messageId, { ...message, actions: { ...message.actions, answers } })
}

/** The note about the newest answer wins; ids of answers are ordered by time. */
function putNote(edit: StateEdit, note: ActionNote): void {
  const known = edit.notes.get(note.messageId)
  if (!known || known.actionId <= note.actionId) edit.notes.set(note.messageId, note)
}

/** The task after the change that a message tells of. */
function toldTask({ topicId, createdAt, task }: Pick<Message, 'topicId' | 'createdAt' | 'task'>) {
  if (!task) return null
  const { id, title, text: description, status, assignee, dueDate } = task
  return { id, topicId, title, description, status, assignee, dueDate, updatedAt: createdAt }
}

/** Null: it was deleted, for good. */
function putTask(edit: StateEdit, id: string, task: TaskState | null): void {
  const known = edit.tasks.get(id)
  if (known === null || (task && known && known.updatedAt > task.updatedAt)) return
  edit.tasks.set(id, task)
}

export const taskStateOf = ({
  id,
  topicId,
  title,
  description,
  status,
  assignee,
  dueDate,
  updatedAt,
}: ChatTask): TaskState => ({ id, topicId, title, description, status, assignee, dueDate, updatedAt })

/** Whether it is for this person to do. */
export const isOwnOpen = (task: TaskState | null, profileId: string | undefined): boolean =>
  task?.status === 'Open' && task.assignee === profileId

/** The open tasks of the reader. One that is known as such and is not among them was changed unheard, unless there are too many. */
export function putOwnTasks(edit: StateEdit, tasks: readonly ChatTask[], maxCount: number): void {
  const ids = new Set(tasks.map(({ id }) => id))
  for (const [id, task] of edit.tasks.result) {
    if (tasks.length < maxCount && isOwnOpen(task, edit.me?.id) && !ids.has(id)) edit.tasks.delete(id)
  }
  for (const task of tasks) putTask(edit, task.id, same(edit.tasks.get(task.id), taskStateOf(task)))
}

export type CardPage = {
  messages: readonly Message[]
  polls: readonly PollState[]
  tasks: readonly ChatTask[]
  /** A server of the version before has none. */
  notes?: readonly ActionNote[]
}

/** Puts in what was read with messages. A task that a message tells of and that is not there was deleted. */
export function mergeCards(edit: StateEdit, { messages, polls, tasks, notes = [] }: CardPage): void {
  for (const note of notes) putNote(edit, same(edit.notes.get(note.messageId), note))
  for (const poll of polls) {
    const known = edit.polls.get(poll.id)
    if (!known || poll.version >= known.version) edit.polls.set(poll.id, same(known, poll))
  }
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const { task } of messages) {
    if (!task) continue
    const now = byId.get(task.id)
    const known = edit.tasks.get(task.id)
    putTask(edit, task.id, now ? same(known, taskStateOf(now)) : null)
  }
}

const same = <Value>(before: Value | null | undefined, after: Value): Value =>
  before && JSON.stringify(before) === JSON.stringify(after) ? before : after

/** How a poll stands with this vote, before the server has said so. */
export function withVote(
  poll: PollState,
  {
    optionId,
    isOn,
    isSingle,
    voterId,
  }: { optionId: string; isOn: boolean; isSingle: boolean; voterId?: string },
): PollState {
  const others = poll.own.filter((id) => id !== optionId)
  const own = isOn ? [...(isSingle ? [] : others), optionId] : others
  const options = poll.options.map((option) => {
    const [was, is] = [poll.own.includes(option.id), own.includes(option.id)]
    if (was === is) return option
    const rest = option.voterIds.filter((id) => id !== voterId)
    const voterIds = is && voterId !== undefined ? [...rest, voterId] : rest
    return { ...option, count: Math.max(0, option.count + (is ? 1 : -1)), voterIds }
  })
  const voters = poll.voters + Number(own.length > 0) - Number(poll.own.length > 0)
  return { ...poll, own, options, voters }
}

/**
 * Whether a message is what this card becomes. Polls and tasks have no id of the browser's own: until the server has
 * answered, what they say tells.
 */
export function isOfCard(card: OutgoingCard, { poll, task }: Message): boolean {
  if (card.kind === 'poll') {
    const texts = poll?.options.map(({ text }) => text).join('\n')
    return poll?.title === card.poll.question && texts === card.poll.options.join('\n')
  }
  return card.kind === 'task' && task?.action === 'Added' && task.title === card.task.title
}
