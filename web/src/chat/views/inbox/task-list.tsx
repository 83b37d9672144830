import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { type DragEvent, type KeyboardEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { ChatTask } from '../../../../../contract/people/card-records.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import type { MenuEntry } from '../../../kit/menu.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { topicPath } from '../addresses.ts'
import { TaskFacts, TaskMenu, TaskTick, useMayChange } from '../conversation/message/task-card.tsx'
import { useAttempt } from '../frame/attempt.ts'
import listStyles from './paged-list.module.css'
import styles from './task-list.module.css'
import { type TaskSource, useTaskList } from './task-pages.ts'

/** Tasks one below the other; those of a topic can be put into another order, by pointer, keys or menu. */
export function TaskList({ of, none }: { of: TaskSource; none: string }) {
  const t = useTexts(makerTexts).tasks
  const { tasks, hasMore, failure, isLoading, more, again, reorder } = useTaskList(of)
  const actions = useChatActions()
  const attempt = useAttempt()
  const [said, setSaid] = useState('')
  const [over, setOver] = useState<number>()
  const dragged = useRef<number>(undefined)
  const list = useRef<HTMLUListElement>(null)
  const isOrdered = of.kind === 'topic'

  const move = async (from: number, to: number) => {
    const task = tasks?.[from]
    if (!tasks || !task || to < 0 || to >= tasks.length || from === to) return
    const others = tasks.filter((_, index) => index !== from)
    const next = [...others.slice(0, to), task, ...others.slice(to)]
    reorder(next)
    setSaid(t.moved(task.title, to + 1, next.length))
    // The handle keeps the focus wherever its row goes.
    window.setTimeout(() =>
      list.current?.querySelector<HTMLElement>(`[data-task="${task.id}"] [data-handle]`)?.focus(),
    )
    const moved = await attempt(() => actions.moveTask(task.id, next[to - 1]?.id ?? null))
    if (!moved) {
      setSaid('')
      again()
    }
  }

  if (failure !== undefined) {
    return (
      <div className={styles.failed} role="alert">
        {failure}
        <Button size="small" onClick={again}>
          {t.again}
        </Button>
      </div>
    )
  }
  if (!tasks) return <SkeletonRows />
  if (tasks.length === 0) return <p className={listStyles.none}>{none}</p>
  return (
    <section aria-label={t.list}>
      <VisuallyHidden live>{said}</VisuallyHidden>
      <ul className={listStyles.list} ref={list}>
        {tasks.map((task, index) => (
          <li
            key={task.id}
            data-task={task.id}
            className={classes(styles.row, over === index && styles.over)}
            {...(isOrdered && {
              onDragOver: (event: DragEvent) => {
                if (dragged.current === undefined) return
                event.preventDefault()
                setOver(index)
              },
              onDrop: (event: DragEvent) => {
                event.preventDefault()
                const from = dragged.current
                setOver(undefined)
                if (from !== undefined) void move(from, from < index ? index - 1 : index)
              },
            })}
          >
            <Row
              task={task}
              isOrdered={isOrdered}
              onMove={(step) => void move(index, index + step)}
              onDrag={(isBegun) => {
                dragged.current = isBegun ? index : undefined
                if (!isBegun) setOver(undefined)
              }}
            />
          </li>
        ))}
      </ul>
      {hasMore && (
        <div className={listStyles.more}>
          <Button busy={isLoading} onClick={() => void more()}>
            {t.more}
          </Button>
        </div>
      )}
    </section>
  )
}

function Row({
  task: read,
  isOrdered,
  onMove,
  onDrag,
}: {
  task: ChatTask
  isOrdered: boolean
  onMove: (step: -1 | 1) => void
  onDrag: (isBegun: boolean) => void
}) {
  const t = useTexts(makerTexts).tasks
  // The newer state of the task, if an event has changed it since it was read.
  const heard = useChat(({ tasks }) => tasks.get(read.id))
  const task = heard && heard.updatedAt >= read.updatedAt ? heard : read
  const topic = useChat(({ topics }) => topics.get(task.topicId))
  const topicName = useChat((state) => (topic ? nameOf(state, topic) : ''))
  const mayMove = useMayChange(task) && isOrdered
  const byKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (step === undefined) return
    event.preventDefault()
    onMove(step)
  }
  const moves: MenuEntry[] = mayMove
    ? [
        { label: t.up, icon: ArrowUp, onSelect: () => onMove(-1) },
        { label: t.down, icon: ArrowDown, onSelect: () => onMove(1) },
      ]
    : []
  return (
    <>
      {mayMove && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the button inside of it does the same by keys
        <span
          className={styles.handle}
          draggable
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', task.title)
            onDrag(true)
          }}
          onDragEnd={() => onDrag(false)}
        >
          <IconButton
            data-handle
            label={t.drag(task.title)}
            icon={GripVertical}
            size="small"
            onKeyDown={byKey}
          />
        </span>
      )}
      <TaskTick task={task} />
      <div className={styles.words}>
        <p className={classes(styles.title, task.status === 'Done' && styles.struck)} dir="auto">
          {task.title}
        </p>
        <TaskFacts task={task}>
          {topic && !isOrdered && (
            <Link to={topicPath(topic.id)} className={styles.topic}>
              <bdi>{topicName}</bdi>
            </Link>
          )}
        </TaskFacts>
      </div>
      <TaskMenu task={task} extra={moves} />
    </>
  )
}
