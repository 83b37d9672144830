import { Bot, CircleCheck, UserPlus } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'wouter'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { lazyView } from '../../../api/connection.ts'
import { Button } from '../../../kit/button.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import styles from './beginning.module.css'
import { ConversationMark } from './conversation-mark.tsx'
import { useOverlay } from './overlay.ts'

const PromptsOfBot = lazyView(() => import('../profile/prompts.tsx'))

/** How a conversation begins: what belongs there, and the ways to begin. */
export function Beginning({ topic, onSettings }: { topic: ChatTopic; onSettings: () => void }) {
  const t = useTexts(texts)
  const name = useChat((state) => nameOf(state, topic))
  const me = useChat((state) => state.me)
  const isAdmin = me?.role === 'admin' || me?.role === 'owner'
  // The organization's first topic while its founder is alone in it.
  const isFirstRoom = useChat(
    ({ members, organization }) =>
      isAdmin && topic.joinedByDefault && !organization?.manyMembers && peopleIn(members) < 2,
  )
  if (isFirstRoom) return <FirstRoom topic={topic} />
  return (
    // An article, as the messages after it are.
    <article className={styles.beginning} aria-label={name}>
      <ConversationMark topic={topic} size={56} />
      <h2>{topic.type === 'dm' ? <bdi>{name}</bdi> : <Words text={t.begins.title(named(name))} />}</h2>
      <p>
        <About topic={topic} name={name} />
      </p>
      <Suspense>
        <PromptsOfTheOther topic={topic} />
      </Suspense>
      {topic.keepMessagesDays !== undefined && <p>{t.begins.kept(topic.keepMessagesDays)}</p>}
      {topic.type === 'topic' && topic.isMember && topic.archivedAt === null && me?.role !== 'guest' && (
        <div className={styles.buttons}>
          <AddButtons topic={topic} isAdmin={isAdmin} />
          {topic.description === '' && (
            <Button look="quiet" onClick={onSettings}>
              {t.begins.writeDescription}
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

const peopleIn = (members: ReadonlyMap<string, { type: string; status: string }>): number => {
  let people = 0
  for (const { type, status } of members.values()) if (type === 'user' && status !== 'Deleted') people++
  return people
}

function AddButtons({ topic, isAdmin }: { topic: ChatTopic; isAdmin: boolean }) {
  const t = useTexts(texts)
  const open = useOverlay()
  const organizationId = useChat((state) => state.organizationId)
  return (
    <>
      <Button icon={UserPlus} onClick={() => open({ kind: 'add-members', topicId: topic.id })}>
        {t.begins.addMembers}
      </Button>
      {isAdmin && (
        <Link to={newBotPath(organizationId, topic.id)} className={styles.link}>
          <Icon icon={Bot} size={18} />
          {t.begins.addBot}
        </Link>
      )}
    </>
  )
}

/** Prompts of the bot, where a direct message is with one that still exists. */
function PromptsOfTheOther({ topic }: { topic: ChatTopic }) {
  const botId = useChat(({ members, me }) => {
    const others = topic.type === 'dm' ? topic.memberIds.filter((id) => id !== me?.id) : []
    const other = others.length === 1 ? members.get(others[0] ?? '') : undefined
    return other?.type === 'bot' && other.status !== 'Archived' && other.status !== 'Deleted'
      ? other.id
      : undefined
  })
  return botId === undefined || !topic.mayWrite ? null : <PromptsOfBot botId={botId} topicId={topic.id} />
}

function About({ topic, name }: { topic: ChatTopic; name: string }) {
  const t = useTexts(texts).begins
  const me = useChat((state) => state.me)
  const members = useChat((state) => state.members)
  if (topic.type === 'dm') {
    const others = topic.memberIds.filter((id) => id !== me?.id)
    const [other] = others
    if (other === undefined) return t.directSelf
    const bot = others.length === 1 ? members.get(other) : undefined
    return <Words text={bot?.type === 'bot' ? t.bot(named(name)) : t.direct(named(name))} />
  }
  if (topic.description !== '') return topic.description
  const creator = members.get(topic.createdBy)
  const who = topic.createdBy === me?.id ? t.createdByYou : creator ? t.created(named(creator.name)) : ''
  return <Words text={`${who} ${topic.memberCount < 2 ? t.alone : ''}`.trim()} />
}

/** The console's page for a new bot, which leads back to this topic. */
const newBotPath = (organizationId: string, topicId: string): string =>
  `/console/${organizationId}/bots/new?topic=${topicId}`

function FirstRoom({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts).room
  const me = useChat((state) => state.me)
  const organization = useChat((state) => state.organization?.name ?? '')
  const organizationId = useChat((state) => state.organizationId)
  const console = `/console/${organizationId}`
  return (
    <article className={styles.beginning} aria-label={topic.name}>
      <ConversationMark topic={topic} size={56} />
      <h2 className={styles.hello}>
        <Words text={t.title(named(me?.name.split(' ')[0] ?? ''))} />
      </h2>
      <p>
        <Words text={t.about(named(organization))} />
      </p>
      <ul className={styles.cards}>
        <li>
          <Link to={`${console}/members?invite`} className={styles.card}>
            <Icon icon={UserPlus} />
            <strong>{t.invite}</strong>
            <span>{t.inviteAbout}</span>
          </Link>
        </li>
        <li>
          <Link to={newBotPath(organizationId, topic.id)} className={styles.card}>
            <Icon icon={Bot} />
            <strong>{t.bot}</strong>
            <span>{t.botAbout}</span>
          </Link>
        </li>
        <li>
          <Link to={console} className={styles.card} data-done>
            <Icon icon={CircleCheck} />
            <strong>{t.server}</strong>
            <span>{t.serverAbout}</span>
          </Link>
        </li>
      </ul>
    </article>
  )
}
