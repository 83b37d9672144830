import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChatTask } from '../../../../../contract/people/card-records.ts'
import type { MyTaskQuery, TaskPage, TaskState } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useFailureText } from '../frame/failure-text.ts'

export type TaskSource =
  | { kind: 'mine'; query: MyTaskQuery }
  | { kind: 'topic'; topicId: string; status: TaskState['status'] }

type Pages = { tasks: ChatTask[]; nextCursor: string | undefined; count: number }

/** Changes within this time cause one read. */
const SETTLED_MS = 250

/** A list of tasks, page by page. It is read again, as far as it was read before, when something about a task has changed. */
export function useTaskList(source: TaskSource) {
  const actions = useChatActions()
  const failureText = useFailureText()
  const position = useChat((state) => state.taskPosition)
  const connection = useChat((state) => state.connection)
  const [pages, setPages] = useState<Pages>()
  const [failure, setFailure] = useState<string>()
  const [isLoading, setLoading] = useState(false)
  const of = useRef(source)
  const shown = useRef(pages)
  shown.current = pages
  const round = useRef(0)

  const read = useCallback(
    (cursor?: string): Promise<TaskPage> =>
      of.current.kind === 'mine'
        ? actions.listMyTasks(of.current.query, cursor)
        : actions.listTopicTasks(of.current.topicId, of.current.status, cursor),
    [actions],
  )

  const again = useCallback(async () => {
    round.current += 1
    const current = round.current
    try {
      const tasks: ChatTask[] = []
      let cursor: string | undefined
      let count = 0
      do {
        const page = await read(cursor)
        tasks.push(...page.tasks)
        cursor = page.nextCursor
        count += 1
      } while (cursor !== undefined && count < (shown.current?.count ?? 1))
      if (current !== round.current) return
      setPages({ tasks, nextCursor: cursor, count })
      setFailure(undefined)
    } catch (error) {
      // A list on the screen stays; an empty view says why.
      if (current === round.current && !shown.current) setFailure(failureText(error))
    }
  }, [read, failureText])

  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever a task has changed, and on reconnecting
  useEffect(() => {
    const timer = window.setTimeout(() => void again(), shown.current ? SETTLED_MS : 0)
    return () => window.clearTimeout(timer)
  }, [position, connection])

  const more = async () => {
    const { current } = shown
    if (current?.nextCursor === undefined || isLoading) return
    setLoading(true)
    try {
      const page = await read(current.nextCursor)
      const known = new Set(current.tasks.map(({ id }) => id))
      const tasks = [...current.tasks, ...page.tasks.filter(({ id }) => !known.has(id))]
      setPages({ tasks, nextCursor: page.nextCursor, count: current.count + 1 })
    } catch (error) {
      setFailure(failureText(error))
    } finally {
      setLoading(false)
    }
  }

  return {
    tasks: pages?.tasks,
    hasMore: pages?.nextCursor !== undefined,
    failure,
    isLoading,
    more,
    again: () => {
      setFailure(undefined)
      void again()
    },
    /** Shows another order at once. */
    reorder: (tasks: ChatTask[]) => setPages((now) => now && { ...now, tasks }),
  }
}
