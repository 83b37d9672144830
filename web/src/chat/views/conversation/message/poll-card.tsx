import { Check } from 'lucide-react'
import { lazy, Suspense, useContext, useEffect, useState } from 'react'
import type { Message, MessagePoll } from '../../../../../../contract/message.ts'
import { isAdminRole } from '../../../../../../contract/operation.ts'
import type { PollState } from '../../../../../../contract/people/card-records.ts'
import { classes } from '../../../../kit/classes.ts'
import { FaceStack } from '../../../../kit/face.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import { VisuallyHidden } from '../../../../kit/visually-hidden.tsx'
import { cardTexts } from '../../../../texts/chat-cards.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useAttempt } from '../../frame/attempt.ts'
import styles from './cards.module.css'
import { faceOf, useNameList, useNames } from './people.ts'
import { useTimes } from './times.ts'

const ClosePoll = lazy(() => import('./close-poll.tsx'))

/** The longest that a timer of a browser waits. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Whether the time has come; drawn again when it has. */
export function useIsPast(at: number | undefined): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (at === undefined || at <= now) return
    const timer = window.setTimeout(() => setNow(Date.now()), Math.min(MAX_TIMER_MS, at - Date.now() + 50))
    return () => window.clearTimeout(timer)
  }, [at, now])
  return at !== undefined && at <= now
}

/** A question with its options: each shows how many chose it, and is chosen by pressing it. */
export function PollCard({ message, poll }: { message: Message; poll: MessagePoll }) {
  const t = useTexts(cardTexts)
  const times = useTimes()
  const actions = useChatActions()
  const attempt = useAttempt()
  const state = useChat(({ polls }) => polls.get(poll.id))
  const mayVote = useChat(({ topics }) => {
    const topic = topics.get(message.topicId)
    return topic?.isMember === true && topic.archivedAt === null
  })
  const mayClose = useChat(({ me }) => message.senderId === me?.id || isAdminRole(me?.role))
  const [isClosing, setClosing] = useState(false)
  const hasExpired = useIsPast(poll.expiresAt)
  const isClosed = hasExpired || poll.status === 'closed' || state?.status === 'closed'
  const isSingle = poll.selectionType === 'single'
  const own = state?.own ?? []
  const when = poll.expiresAt === undefined ? undefined : times.moment(poll.expiresAt)
  const about = [
    ...(isClosed ? [] : [isSingle ? t.chooseOne : t.chooseAny]),
    ...(poll.anonymous ? [t.anonymous] : []),
    ...(isClosed ? [hasExpired && when ? t.closedOn(when) : t.closed] : when ? [t.closes(when)] : []),
  ]
  const vote = (optionId: string, isOn: boolean) => void attempt(() => actions.vote(message, optionId, isOn))
  const takeBack = async () => {
    for (const optionId of own) if (!(await attempt(() => actions.vote(message, optionId, false)))) return
  }
  return (
    <fieldset className={styles.poll} aria-label={`${t.poll}: ${poll.title}`}>
      <p className={styles.question} dir="auto">
        {poll.title}
      </p>
      {poll.subtitle !== undefined && (
        <p className={styles.about} dir="auto">
          {poll.subtitle}
        </p>
      )}
      <p className={styles.quiet}>{about.join(' ')}</p>
      <div className={styles.options}>
        {poll.options.map((option) => (
          <Option
            key={option.id}
            option={option}
            state={state}
            isSingle={isSingle}
            isFixed={isClosed || !mayVote || state === undefined}
            onVote={(isOn) => vote(option.id, isOn)}
          />
        ))}
      </div>
      <p className={styles.foot}>
        <span>{isSingle ? t.votes(state?.voters ?? 0) : t.voters(state?.voters ?? 0)}</span>
        {!isClosed && own.length > 0 && mayVote && (
          <button type="button" className={styles.act} onClick={() => void takeBack()}>
            {t.takeBack}
          </button>
        )}
        {!isClosed && mayClose && mayVote && (
          <button type="button" className={styles.act} onClick={() => setClosing(true)}>
            {t.closePoll}
          </button>
        )}
      </p>
      {isClosing && (
        <Suspense>
          <ClosePoll poll={poll} onClose={() => setClosing(false)} />
        </Suspense>
      )}
    </fieldset>
  )
}

function Option({
  option,
  state,
  isSingle,
  isFixed,
  onVote,
}: {
  option: MessagePoll['options'][number]
  state: PollState | undefined
  isSingle: boolean
  isFixed: boolean
  onVote: (isOn: boolean) => void
}) {
  const t = useTexts(cardTexts)
  const language = useContext(LanguageContext)
  const nameOf = useNames()
  const listOf = useNameList()
  const members = useChat((all) => all.members)
  const { count = 0, voterIds = [] } = state?.options.find(({ id }) => id === option.id) ?? {}
  const isMine = state?.own.includes(option.id) === true
  const share = count / Math.max(1, state?.voters ?? 0)
  const percent = new Intl.NumberFormat(language, { style: 'percent' }).format(share)
  const names = voterIds.map(nameOf)
  const who = count > names.length ? t.andMore(names.join(', '), count - names.length) : listOf(names)
  return (
    <button
      type="button"
      className={classes(styles.option, isMine && styles.mine, isSingle && styles.single)}
      style={{ '--share': `${share * 100}%` } as React.CSSProperties}
      aria-pressed={isMine}
      aria-disabled={isFixed}
      {...(names.length > 0 && tip(who))}
      onClick={() => {
        if (!isFixed && !(isSingle && isMine)) onVote(!isMine)
      }}
    >
      <span className={styles.mark}>{isMine && !isSingle && <Icon icon={Check} size={13} />}</span>
      <span className={styles.text} dir="auto">
        {option.text}
      </span>
      <FaceStack members={voterIds.map((id) => faceOf(id, members.get(id), nameOf(id)))} size={18} max={4} />
      <span className={styles.share}>{percent}</span>
      <VisuallyHidden>{t.votes(count)}</VisuallyHidden>
    </button>
  )
}
