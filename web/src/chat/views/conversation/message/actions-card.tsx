import { Check, Clock, EyeOff } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ActionAnswer, ActionElement, MessageActions } from '../../../../../../contract/actions.ts'
import { parseMarkdown } from '../../../../../../contract/markdown/parse.ts'
import type { Message } from '../../../../../../contract/message.ts'
import type { ChatMember } from '../../../../../../contract/people/chat-records.ts'
import { Button } from '../../../../kit/button.tsx'
import { classes } from '../../../../kit/classes.ts'
import { Select } from '../../../../kit/field.tsx'
import { Icon } from '../../../../kit/icon.tsx'
import { named, Words } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { PressedAnswer } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'
import { useAttempt } from '../../frame/attempt.ts'
import { MarkdownText } from '../markdown/render.tsx'
import styles from './actions-card.module.css'
import { useNameList, useNames } from './people.ts'
import { useIsPast } from './poll-card.tsx'
import { useTimes } from './times.ts'

const ActionForm = lazy(() => import('./action-form.tsx'))

const LOOKS = { default: 'outline', primary: 'primary', danger: 'danger' } as const

/** A line about this person's answer, or a bot's private answer, which can be long and is Markdown. */
export function PrivateNote({ message }: { message: Message }) {
  const t = useTexts(actionTexts)
  const note = useChat((state) => state.notes.get(message.id))
  if (!note || note.text === '') return null
  const { senderName, text } = note
  return (
    <div className={styles.note} role="status">
      <Icon icon={EyeOff} size={14} />
      {senderName === undefined ? (
        <span>
          <span className={styles.quiet}>{t.onlyYou}</span> <span dir="auto">{text}</span>
        </span>
      ) : (
        <div className={styles.whole}>
          <span className={styles.quiet}>
            <Words text={t.privately(named(senderName))} />
          </span>
          <MarkdownText markdown={parseMarkdown(text)} />
        </div>
      )}
    </div>
  )
}

/** A bot's buttons, choices and forms, and the answers to them. */
export function ActionsCard({ message, actions }: { message: Message; actions: MessageActions }) {
  const t = useTexts(actionTexts)
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
  const isOver = isAnswered || isLate || actions.outcome !== undefined
  const isFixed = !isOpen || !mayAnswer(actions, me)
  const answer = async (given: PressedAnswer) => {
    setBusyWith(given.elementId)
    await attempt(() => press(message, given))
    setBusyWith(undefined)
  }
  const foot = useFoot(actions, { isLate, isOver, me })
  const isCard = actions.title !== undefined || actions.facts !== undefined || foot.length > 0
  return (
    <fieldset
      className={classes(styles.question, isCard && styles.card)}
      aria-label={t.answerTo(message.senderName)}
    >
      {actions.title !== undefined && (
        <p className={styles.title} dir="auto">
          {actions.title}
        </p>
      )}
      {actions.facts && <Facts facts={actions.facts} />}
      {!isOver && (
        <div className={styles.elements}>
          {actions.elements.map((element) => {
            const isBusy = isFixed || busyWith !== undefined
            if (element.options)
              return (
                <Choice
                  key={`${actions.id} ${element.id}`}
                  element={element}
                  isFixed={isBusy}
                  onChoose={(value) => void answer({ elementId: element.id, value })}
                />
              )
            return (
              <Button
                key={element.id}
                look={isFixed ? 'outline' : LOOKS[element.style ?? 'default']}
                busy={isBusy}
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
      )}
      <Answers actions={actions} />
      {foot.length > 0 && (
        <p className={styles.foot} role="status">
          {!isOver && <Icon icon={Clock} size={14} />}
          <span dir="auto">
            <Words text={foot.join(' ')} />
          </span>
        </p>
      )}
      {opened && (
        <Suspense>
          <ActionForm {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </fieldset>
  )
}

function Facts({ facts }: { facts: NonNullable<MessageActions['facts']> }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ label, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same label
        <div key={index}>
          <dt dir="auto">{label}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}

function mayAnswer({ who, people = [] }: MessageActions, me: ChatMember | undefined): boolean {
  if (who === 'owners') return me?.role === 'owner'
  if (who === 'admins') return me?.role === 'owner' || me?.role === 'admin'
  return who === 'anyone' || people.includes(me?.id ?? '')
}

/** The sentences at the foot of the card: who may answer, until when, what counts without an answer, or how it ended. */
function useFoot(
  actions: MessageActions,
  { isLate, isOver, me }: { isLate: boolean; isOver: boolean; me: ChatMember | undefined },
): string[] {
  const t = useTexts(actionTexts)
  const times = useTimes()
  const who = useWho(actions, me)
  const { question, outcome, elements, expiresAt } = actions
  const quorum = question?.quorum ?? 1
  const labelOf = (elementId: string | undefined) => elements.find(({ id }) => id === elementId)?.text
  const result = labelOf(outcome?.elementId)
  if (outcome?.status === 'answered') return quorum > 1 && result !== undefined ? [t.decided(result)] : []
  if (outcome?.status === 'expired') return [result === undefined ? t.expired : t.expiredWith(result)]
  if (outcome) return [t.withdrawn]
  if (isLate)
    return expiresAt === undefined || actions.answers.length > 0 ? [] : [t.endedAt(times.moment(expiresAt))]
  const needs = quorum > 1 ? [t.quorum(quorum)] : []
  if (isOver) return needs
  const otherwise = labelOf(question?.otherwise)
  const until =
    expiresAt === undefined
      ? []
      : [times.moment(expiresAt)].map((when) =>
          otherwise === undefined ? t.until(when) : t.otherwiseAt(otherwise, when),
        )
  const isPlain = actions.who === 'anyone' && !actions.approval && needs.length === 0 && until.length === 0
  return isPlain ? [] : [who, ...needs, ...until]
}

function useWho(actions: MessageActions, me: ChatMember | undefined): string {
  const t = useTexts(actionTexts)
  const nameOf = useNames()
  const listOf = useNameList()
  const { who, people = [] } = actions
  if (who === 'anyone') return t.waitingForAnyone
  const isMine = mayAnswer(actions, me)
  if (who === 'admins') return isMine ? t.waitingForAdmins : t.onlyAdmins
  if (who === 'owners') return isMine ? t.waitingForOwners : t.onlyOwners
  const others = people.filter((id) => id !== me?.id).map((id) => named(nameOf(id)))
  return isMine ? t.waitingForPeople(listOf([t.you, ...others], 'disjunction')) : t.onlyPeople(listOf(others))
}

/** More are counted, not named. */
const SHOWN_ANSWERS = 5

function Answers({ actions }: { actions: MessageActions }) {
  const t = useTexts(actionTexts)
  const times = useTimes()
  const nameOf = useNames()
  const me = useChat((state) => state.me?.id)
  const shown = actions.answers.slice(0, SHOWN_ANSWERS)
  const answerLine = (given: ActionAnswer) => {
    const done = actions.elements.find(({ id }) => id === given.elementId)?.doneText
    const name = named(nameOf(given.userId))
    if (done === undefined) return t.answered(name, answerText(actions, given))
    return given.userId === me ? t.doneByYou(done) : t.doneBy(done, name)
  }
  if (shown.length === 0) return null
  return (
    <ul className={styles.answers}>
      {shown.map((given) => (
        <li key={given.id}>
          <Icon icon={Check} size={14} />
          <span dir="auto">
            <Words text={answerLine(given)} />
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
  onChoose,
}: {
  element: ActionElement
  isFixed: boolean
  onChoose: (value: string) => void
}) {
  const t = useTexts(actionTexts)
  const [picked, setPicked] = useState('')
  return (
    <span className={styles.choice}>
      <Select
        aria-label={element.text}
        value={picked}
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
