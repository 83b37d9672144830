import { Ellipsis, UserMinus, UserPlus } from 'lucide-react'
import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { REACHES, type Reach } from '../../../../../contract/reach.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { kit } from '../../../texts/kit.ts'
import { reach as reachTexts } from '../../../texts/reach.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useAttempt } from '../frame/attempt.ts'
import { useOverlay } from '../frame/overlay.ts'
import { presenceOf, statusLine } from '../profile/presence.ts'
import { useShell } from '../seam.ts'
import styles from './details.module.css'

/** Members of a topic: people, then bots with what they hear. */
export function DetailsMembers({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const open = useOverlay()
  const members = useChat((state) => state.members)
  const inTopic = topic.memberIds.flatMap((id) => members.get(id) ?? [])
  const people = inTopic.filter(({ type }) => type === 'user')
  const bots = inTopic.filter(({ type }) => type === 'bot')
  const mayAdd = topic.isMember && topic.type === 'topic' && topic.archivedAt === null
  return (
    <>
      {topic.type === 'topic' && !topic.open && <p className={styles.about}>{t.membersAlone}</p>}
      {mayAdd && (
        <Button look="link" icon={UserPlus} onClick={() => open({ kind: 'add-members', topicId: topic.id })}>
          {t.addMembers}
        </Button>
      )}
      <MemberList title={t.people(people.length)} topic={topic} members={people} />
      {bots.length > 0 && <MemberList title={t.bots(bots.length)} topic={topic} members={bots} />}
    </>
  )
}

function MemberList({
  title,
  topic,
  members,
}: {
  title: string
  topic: ChatTopic
  members: readonly ChatMember[]
}) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.members}>
        {members.map((member) => (
          <li key={member.id}>
            <Member topic={topic} member={member} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Member({ topic, member }: { topic: ChatTopic; member: ChatMember }) {
  const t = useTexts(texts)
  const s = useTexts(shell)
  const c = useTexts(common)
  const k = useTexts(kit)
  const r = useTexts(reachTexts)
  const { openProfile } = useShell()
  const actions = useChatActions()
  const attempt = useAttempt()
  const online = useChat((state) => state.online)
  const me = useChat((state) => state.me)
  const isMe = member.id === me?.id
  const isBot = member.type === 'bot'
  const heard = topic.reaches?.[member.id] ?? 'everything'
  const hears = `${r.hears[heard]}, ${member.delivery === 'webhook' ? r.byWebhook : r.byPolling}`
  const about = isBot
    ? member.paused
      ? t.pausedBot
      : hears
    : member.id === topic.createdBy
      ? t.creator
      : member.role === 'member' || member.role === null
        ? ''
        : c.roles[member.role]
  const remove = async () => {
    if (!(await attempt(() => actions.removeMembers(topic.id, [member.id])))) return
    const addAgain = () => void attempt(() => actions.addMembers(topic.id, [member.id], heard))
    showToast({ text: t.removed(named(member.name)), action: { label: k.undo, onAct: addAgain } })
  }
  const line = { kind: 'line' } as const
  const reachChoice: MenuEntry = {
    kind: 'choice',
    label: r.label,
    value: heard,
    options: REACHES.map((one) => [one, r.names[one]] as const),
    onChange: (chosen) => void setReach(REACHES.find((one) => one === chosen)),
  }
  // The words beside its name say what came of it.
  const setReach = async (chosen: Reach | undefined) => {
    if (chosen !== undefined) await attempt(() => actions.setReach(topic.id, member.id, chosen))
  }
  return (
    <div className={styles.member}>
      <button
        type="button"
        className={styles.who}
        onClick={(event) => openProfile(member.id, event.currentTarget)}
      >
        <Face member={member} size={28} presence={presenceOf(member, online)} />
        <span className={styles.words}>
          <span className={styles.name}>
            <bdi>{member.name}</bdi>
            {isBot && <BotChip />}
            {isMe && <span className={styles.soft}>{s.you}</span>}
          </span>
          {about !== '' && <span className={styles.about}>{about}</span>}
          {online && statusLine(member) !== '' && <span className={styles.about}>{statusLine(member)}</span>}
        </span>
      </button>
      {topic.isMember && topic.type === 'topic' && !isMe && (
        <Menu
          label={t.memberMenu(member.name)}
          align="end"
          trigger={(props) => (
            <IconButton {...props} label={t.memberMenu(member.name)} icon={Ellipsis} size="small" />
          )}
          entries={() => [
            ...(isBot && topic.maySet && topic.archivedAt === null ? [reachChoice, line] : []),
            {
              label: t.removeMember(member.name),
              icon: UserMinus,
              danger: true,
              onSelect: () => void remove(),
            },
          ]}
        />
      )}
    </div>
  )
}
