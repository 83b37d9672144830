import { Calendar, Check, Ellipsis, ListTodo, Pencil, Trash, UserMinus, UserPlus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { Message, MessageTask } from '../../../../../../contract/message.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { classes } from '../../../../kit/classes.ts'
import { Face } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { Menu, type MenuEntry } from '../../../../kit/menu.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { TaskState } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { topicTasksPath } from '../../addresses.ts'
import { useAttempt } from '../../frame/attempt.ts'
import { useShell } from '../../seam.ts'
import styles from './cards.module.css'
import { useTimes } from './times.ts'

const DeleteTask = lazy(() => import('./delete-task.tsx'))

/** A task as it is now, in the message that told of it first. */
export function MessageTaskCard({ message, task }: { message: Message; task: MessageTask }) {
  const now = useChat(({ tasks }) => tasks.get(task.id))
  const { id, title, text: description, status, assignee, dueDate } = task
  const told: TaskState = {
    id,
    topicId: message.topicId,
    title,
    description,
    status,
    assignee,
    dueDate,
    updatedAt: message.createdAt,
  }
  return <TaskCard task={now ?? told} isGone={now === null} />
}

function TaskCard({ task, isGone }: { task: TaskState; isGone: boolean }) {
  const t = useTexts(cardTexts)
  return (
    <div className={styles.task}>
      <TaskTick task={task} isFixed={isGone} />
      <div className={styles.words}>
        <p className={classes(styles.title, (isGone || task.status === 'Done') && styles.struck)} dir="auto">
          {task.title}
        </p>
        {task.description !== '' && (
          <p className={styles.about} dir="auto">
            {task.description}
          </p>
        )}
        {isGone ? <p className={styles.facts}>{t.gone}</p> : <TaskFacts task={task} />}
      </div>
      {!isGone && <TaskMenu task={task} />}
    </div>
  )
}

export function useMayChange({ topicId }: TaskState): boolean {
  return useChat(({ topics }) => {
    const topic = topics.get(topicId)
    return topic?.isMember === true && topic.archivedAt === null
  })
}

/** The round box before a task: pressing it completes it, or opens it again. */
export function TaskTick({ task, isFixed = false }: { task: TaskState; isFixed?: boolean }) {
  const t = useTexts(cardTexts)
  const actions = useChatActions()
  const attempt = useAttempt()
  const mayChange = useMayChange(task) && !isFixed
  const isDone = task.status === 'Done'
  return (
    <button
      type="button"
      aria-disabled={!mayChange}
      aria-label={isDone ? t.markOpen(task.title) : t.markDone(task.title)}
      className={classes(styles.tick, isDone && styles.ticked)}
      onClick={() =>
        mayChange && void attempt(() => actions.updateTask(task, { status: isDone ? 'Open' : 'Done' }))
      }
    >
      <Icon icon={Check} size={14} />
    </button>
  )
}

/** The last minute of a day stands for the day itself. */
export const isWholeDay = (at: number): boolean => {
  const date = new Date(at)
  return date.getHours() === 23 && date.getMinutes() === 59
}

export function TaskFacts({ task, children }: { task: TaskState; children?: React.ReactNode }) {
  const t = useTexts(cardTexts)
  const times = useTimes()
  const assignee = useChat((state) => state.members.get(task.assignee))
  const isDone = task.status === 'Done'
  const when = isWholeDay(task.dueDate) ? times.day(task.dueDate) : times.moment(task.dueDate)
  const isOver = !isDone && task.dueDate > 0 && task.dueDate < Date.now()
  const hasFacts = isDone || assignee || task.dueDate > 0 || children
  if (!hasFacts) return null
  return (
    <p className={styles.facts}>
      {children}
      {isDone && <span>{t.done}</span>}
      {assignee && (
        <span>
          <Face member={assignee} size={18} />
          <bdi>{assignee.name}</bdi>
        </span>
      )}
      {task.dueDate > 0 && (
        <span className={isOver ? styles.bad : undefined}>
          <Icon icon={Calendar} size={16} />
          {isOver ? t.overdue(when) : t.due(when)}
        </span>
      )}
    </p>
  )
}

export function TaskMenu({ task, extra = [] }: { task: TaskState; extra?: readonly MenuEntry[] }) {
  const t = useTexts(cardTexts)
  const actions = useChatActions()
  const attempt = useAttempt()
  const shell = useShell()
  const [, navigate] = useLocation()
  const [isDoomed, setDoomed] = useState(false)
  const me = useChat((state) => state.me?.id ?? '')
  const organizationId = useChat((state) => state.organizationId)
  const mayChange = useMayChange(task)
  const isMine = task.assignee === me
  const changes: MenuEntry[] = mayChange
    ? [
        {
          label: t.editTask,
          icon: Pencil,
          onSelect: () => shell.make({ kind: 'task', place: { topicId: task.topicId }, task }),
        },
        {
          label: isMine ? t.releaseTask : t.takeTask,
          icon: isMine ? UserMinus : UserPlus,
          onSelect: () => void attempt(() => actions.updateTask(task, { assignee: isMine ? '' : me })),
        },
      ]
    : []
  const entries = (): MenuEntry[] => [
    ...changes,
    ...extra,
    {
      label: t.allTasks,
      icon: ListTodo,
      onSelect: () => navigate(topicTasksPath(organizationId, task.topicId)),
    },
    ...(mayChange
      ? [
          { kind: 'line' } as const,
          { label: t.deleteTask, icon: Trash, danger: true, onSelect: () => setDoomed(true) },
        ]
      : []),
  ]
  return (
    <>
      <Menu
        label={t.taskMenu(task.title)}
        align="end"
        entries={entries}
        trigger={(props) => (
          <IconButton {...props} label={t.taskMenu(task.title)} icon={Ellipsis} size="small" />
        )}
      />
      {isDoomed && (
        <Suspense>
          <DeleteTask task={task} onClose={() => setDoomed(false)} />
        </Suspense>
      )}
    </>
  )
}
