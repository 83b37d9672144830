import type { pressAction } from '../../../../contract/people/actions.ts'
import type { PollState } from '../../../../contract/people/card-records.ts'
import type { closePoll } from '../../../../contract/people/cards.ts'
import type { listMyTasks, listTopicTasks, moveTask } from '../../../../contract/people/tasks.ts'
import type { castVote, retractVote } from '../../../../contract/polls.ts'
import type { deleteTask, updateTask } from '../../../../contract/tasks.ts'
import type { ChatApi } from '../../api/chat.ts'
import { type ChatActions, ChatError } from '../model.ts'
import { withVote } from '../store/cards.ts'
import { edited } from '../store/state-edit.ts'
import type { ChatStore } from '../store/store.ts'
import type { History } from './history.ts'
import { newId, Queues } from './pacing.ts'

type CardActions = Pick<
  ChatActions,
  'press' | 'vote' | 'closePoll' | 'updateTask' | 'deleteTask' | 'moveTask' | 'listMyTasks' | 'listTopicTasks'
>

/** Votes, task changes and answers to bots: shown at once, and taken back where the server refuses them. */
export function cardActionsOf(
  store: ChatStore,
  api: ChatApi,
  { rereadMessage }: Pick<History, 'rereadMessage'>,
): CardActions {
  const queues = new Queues()

  return {
    async vote({ poll }, optionId, isOn) {
      const { me, polls } = store.getSnapshot()
      const before = poll && polls.get(poll.id)
      if (!poll || !before || !me) return
      const isSingle = poll.selectionType === 'single'
      const voterId = poll.anonymous ? {} : { voterId: me.id }
      const put = (change: (now: PollState) => PollState) =>
        store.update((state) =>
          edited(state, (edit) => {
            const now = edit.polls.get(poll.id)
            if (now) edit.polls.set(poll.id, change(now))
          }),
        )
      put((now) => withVote(now, { optionId, isOn, isSingle, ...voterId }))
      const params = { pollId: poll.id }
      try {
        await queues.run(poll.id, async () => {
          if (isOn) {
            await api<typeof castVote>('POST', '/polls/{pollId}/votes', {
              params,
              body: { optionId },
              key: newId(),
            })
          } else {
            const voteId = `${poll.id}_${optionId}_${me.id}`
            await api<typeof retractVote>('DELETE', '/polls/{pollId}/votes/{voteId}', {
              params: { ...params, voteId },
            })
          }
        })
      } catch (error) {
        // Results that arrived since come from the server and do not include this vote.
        put((now) => (now.version === before.version ? before : { ...now, own: before.own }))
        throw error
      }
    },

    async press({ id, topicId, actions }, answer) {
      if (!actions) return
      try {
        await api<typeof pressAction>('POST', '/actions/{actionMessageId}/press', {
          params: { actionMessageId: id },
          body: { actionsId: actions.id, hash: actions.hash, ...answer },
          key: newId(),
        })
      } catch (error) {
        // The message is another one by now, and the event that says so may still be under way.
        if (error instanceof ChatError && error.failure.status === 409)
          await rereadMessage(topicId, id).catch(() => {})
        throw error
      }
    },

    async closePoll(pollId) {
      await api<typeof closePoll>('POST', '/polls/{pollId}/close', { params: { pollId }, key: newId() })
    },

    async updateTask(task, change) {
      const { id, topicId } = task
      const before = store.getSnapshot().tasks.get(id)
      const put = (next: typeof before) =>
        store.update((state) =>
          edited(state, (edit) => {
            const now = edit.tasks.get(id)
            // A task that an event has changed since is newer than both.
            if (next && now && now.updatedAt === before?.updatedAt) edit.tasks.set(id, next)
          }),
        )
      if (before) put({ ...before, ...change })
      try {
        await queues.run(id, async () => {
          await api<typeof updateTask>('PATCH', '/tasks/{taskId}', {
            params: { taskId: id },
            body: { topicId, ...change },
          })
        })
      } catch (error) {
        put(before)
        throw error
      }
    },

    async deleteTask(taskId) {
      await api<typeof deleteTask>('DELETE', '/tasks/{taskId}', { params: { taskId } })
    },

    async moveTask(taskId, after) {
      await api<typeof moveTask>('POST', '/tasks/{taskId}/move', {
        params: { taskId },
        body: { after },
        key: newId(),
      })
    },

    listMyTasks: (query, cursor) =>
      api<typeof listMyTasks>('GET', '/my-tasks', { query: cursor === undefined ? query : { cursor } }),

    listTopicTasks: (topicId, status, cursor) =>
      api<typeof listTopicTasks>('GET', '/topics/{topicId}/tasks', {
        params: { topicId },
        query: cursor === undefined ? { status } : { cursor },
      }),
  }
}
