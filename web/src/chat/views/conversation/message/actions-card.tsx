import { Check, EyeOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ActionAnswer, ActionElement, MessageActions } from '../../../../../../contract/actions.ts'
import type { Message } from '../../../../../../contract/message.ts'
import type { ChatMember } from '../../../../../../contract/people/chat-records.ts'
import { Button } from '../../../../kit/button.tsx'
import { Select } from '../../../../kit/field.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { PressedAnswer } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useAttempt } from '../../frame/attempt.ts'
import styles from './actions-card.module.css'
import { useNameList, useNames } from './people.ts'
import { useIsPast } from './poll-card.tsx'
import { useTimes } from './times.ts'

const ActionForm = lazy(() => import('./action-form.tsx'))

const LOOKS = { default: 'outline', primary: 'primary', danger: 'danger' } as const

/** A bot's buttons, choices and forms, the answers to them, and the bot's note to this person. */
export function ActionsCard({ message }: { message: Message }) {
  const t = useTexts(actionTexts)
  const note = useChat((state) => state.notes.get(message.id))
  return (
    <>
      {message.actions && <Question message={message} actions={message.actions} />}
      {note && (
        <p className={styles.note} role="status">
          <Icon icon={EyeOff} size={14} />
          <span>
            <span className={styles.quiet}>{t.onlyYou}</span> <span dir="auto">{note.text}</span>
          </span>
        </p>
      )}
    </>
  )
}

function Question({ message, actions }: { message: Message; actions: MessageActions }) {
  const t = useTexts(actionTexts)
  const times = useTimes()
  const { press } = useChatActions()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const isOpen = useChat(({ topics }) => {
    const topic = topics.get(message.topicId)
    return topic?.isMember === true && topic.archivedAt === null
  })
  const isLate = useIsPast(actions.expiresAt)
  const [busyWith, setBusyWith] = useState<string>()
  // The form answers the message as it was when the form opened, even if the message changes since.
  const [opened, setOpened] = useState<{ message: Message; element: ActionElement }>()
  const isAnswered = actions.answers.some(({ userId }) => actions.use === 'once' || userId === me?.id)
  const isOver = actions.outcome !== undefined
  const isFixed = isAnswered || isLate || isOver || !isOpen || !mayAnswer(actions, me)
  const own = actions.answers.find(({ userId }) => actions.use === 'once' || userId === me?.id)
  const answer = async (given: PressedAnswer) => {
    setBusyWith(given.elementId)
    await attempt(() => press(message, given))
    setBusyWith(undefined)
  }
  return (
    <fieldset className={styles.card} aria-label={t.answerTo(message.senderName)}>
      <div className={styles.elements}>
        {actions.elements.map((element) => {
          const isBusy = isFixed || busyWith !== undefined
          if (element.options)
            return (
              <Choice
                key={`${actions.id} ${element.id}`}
                element={element}
                isFixed={isBusy}
                given={own?.elementId === element.id ? own.value : undefined}
                onChoose={(value) => void answer({ elementId: element.id, value })}
              />
            )
          return (
            <Button
              key={element.id}
              look={isFixed ? 'outline' : LOOKS[element.style ?? 'default']}
              busy={isBusy}
              icon={own?.elementId === element.id ? Check : undefined}
              {...(element.fields && { 'aria-haspopup': 'dialog' })}
              onClick={() =>
                element.fields ? setOpened({ message, element }) : void answer({ elementId: element.id })
              }
            >
              <span dir="auto" className={styles.label}>
                {element.text}
              </span>
            </Button>
          )
        })}
      </div>
      <Answers actions={actions} />
      <Quorum actions={actions} />
      {!isOver && <Why actions={actions} isLate={isLate} isAnswered={isAnswered} me={me} />}
      {!isFixed && actions.expiresAt !== undefined && (
        <p className={styles.quiet}>{t.until(times.moment(actions.expiresAt))}</p>
      )}
      {opened && (
        <Suspense>
          <ActionForm {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </fieldset>
  )
}

function mayAnswer({ who, people = [] }: MessageActions, me: ChatMember | undefined): boolean {
  if (who === 'owners') return me?.role === 'owner'
  if (who === 'admins') return me?.role === 'owner' || me?.role === 'admin'
  return who === 'anyone' || people.includes(me?.id ?? '')
}

/** Why it cannot be answered here, unless the answers say so. */
function Why({
  actions,
  isLate,
  isAnswered,
  me,
}: {
  actions: MessageActions
  isLate: boolean
  isAnswered: boolean
  me: ChatMember | undefined
}) {
  const t = useTexts(actionTexts)
  const times = useTimes()
  const nameOf = useNames()
  const listOf = useNameList()
  if (isAnswered) return null
  if (isLate && actions.expiresAt !== undefined)
    return <p className={styles.quiet}>{t.endedAt(times.moment(actions.expiresAt))}</p>
  if (actions.who === 'anyone' || mayAnswer(actions, me)) return null
  const why = {
    admins: t.onlyAdmins,
    owners: t.onlyOwners,
    people: t.onlyPeople(listOf((actions.people ?? []).map((id) => named(nameOf(id))))),
  }[actions.who]
  return (
    <p className={styles.quiet}>
      <Words text={why} />
    </p>
  )
}

/** How many people a question needs, or how it ended. */
function Quorum({ actions }: { actions: MessageActions }) {
  const t = useTexts(actionTexts)
  const { question, outcome, elements } = actions
  if (!question) return null
  const what = elements.find(({ id }) => id === outcome?.elementId)?.text
  const { quorum } = question
  const text = {
    open: quorum > 1 ? t.quorum(quorum) : undefined,
    answered: quorum > 1 && what !== undefined ? t.decided(what) : undefined,
    expired: what === undefined ? t.expired : t.expiredWith(what),
    withdrawn: t.withdrawn,
  }[outcome?.status ?? 'open']
  return (
    text !== undefined && (
      <p className={styles.quiet} role="status" dir="auto">
        {text}
      </p>
    )
  )
}

/** More are counted, not named. */
const SHOWN_ANSWERS = 5

function Answers({ actions }: { actions: MessageActions }) {
  const t = useTexts(actionTexts)
  const times = useTimes()
  const nameOf = useNames()
  const shown = actions.answers.slice(0, SHOWN_ANSWERS)
  if (shown.length === 0) return null
  return (
    <ul className={styles.answers}>
      {shown.map((given) => (
        <li key={given.id}>
          <Icon icon={Check} size={14} />
          <span dir="auto">
            <Words text={t.answered(named(nameOf(given.userId)), answerText(actions, given))} />
          </span>
          <time dateTime={new Date(given.createdAt).toISOString()}>{times.moment(given.createdAt)}</time>
        </li>
      ))}
      {actions.answers.length > shown.length && <li>{t.more(actions.answers.length - shown.length)}</li>}
    </ul>
  )
}

function answerText({ elements }: MessageActions, { elementId, value }: ActionAnswer): string {
  const element = elements.find(({ id }) => id === elementId)
  return element?.options?.find((option) => option.value === value)?.text ?? element?.text ?? elementId
}

/** Picking and answering are two steps: moving through a list by keyboard chooses nothing yet. */
function Choice({
  element,
  isFixed,
  given,
  onChoose,
}: {
  element: ActionElement
  isFixed: boolean
  given: string | undefined
  onChoose: (value: string) => void
}) {
  const t = useTexts(actionTexts)
  const [picked, setPicked] = useState('')
  return (
    <span className={styles.choice}>
      <Select
        aria-label={element.text}
        value={given ?? picked}
        disabled={isFixed}
        onChange={({ target }) => setPicked(target.value)}
      >
        <option value="">{element.text}</option>
        {element.options?.map(({ text, value }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
      {!isFixed && picked !== '' && (
        <Button look="primary" onClick={() => onChoose(picked)}>
          {t.choose}
        </Button>
      )}
    </span>
  )
}
