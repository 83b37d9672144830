import { Ellipsis, MailPlus, UserMinus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { ChatMember, ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { REACHES, type Reach } from '../../../../../contract/reach.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { SearchInput } from '../../../kit/field.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { WindowedList } from '../../../kit/windowed.tsx'
import { common } from '../../../texts/common.ts'
import { guests } from '../../../texts/guests.ts'
import { kit } from '../../../texts/kit.ts'
import { reach as reachTexts } from '../../../texts/reach.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { mayInviteGuests } from '../../store/directory.ts'
import { plain } from '../conversation/composer/completion.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useOverlay } from '../frame/overlay.ts'
import { presenceOf, statusLine } from '../profile/presence.ts'
import { useShell } from '../seam.ts'
import styles from './details.module.css'
import { useMemberPages } from './member-pages.ts'

/** Members of a topic: people, then bots with what they hear. */
export function DetailsMembers({ topic }: { topic: ChatTopic }) {
  const t = useTexts(texts)
  const g = useTexts(guests)
  const open = useOverlay()
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const [search, setSearch] = useState('')
  const isLarge = topic.memberCount > FILTERED_FROM
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const mayAdd = topic.isMember && topic.type === 'topic' && topic.archivedAt === null && !isGuest
  const mayInvite = useChat(mayInviteGuests)
  return (
    <>
      {topic.type === 'topic' && !topic.open && <p className={styles.about}>{t.membersAlone}</p>}
      {mayAdd && (
        <Button look="link" icon={UserPlus} onClick={() => open({ kind: 'add-members', topicId: topic.id })}>
          {t.addMembers}
        </Button>
      )}
      {mayAdd && mayInvite && (
        <Button look="link" icon={MailPlus} onClick={() => open({ kind: 'invite-guest', topicId: topic.id })}>
          {g.invite}
        </Button>
      )}
      {isLarge && (
        <div className={styles.filter}>
          <SearchInput label={t.filterMembers} value={search} onChange={setSearch} />
        </div>
      )}
      {hasMany ? (
        <FoundMembers key={topic.id} topic={topic} search={search} />
      ) : (
        <KnownMembers topic={topic} search={search} />
      )}
    </>
  )
}

/** More members than this can be filtered. */
const FILTERED_FROM = 12

function KnownMembers({ topic, search }: { topic: ChatTopic; search: string }) {
  const t = useTexts(texts)
  const members = useChat((state) => state.members)
  const inTopic = topic.memberIds.flatMap((id) => members.get(id) ?? [])
  const typed = plain(search.trim())
  const found = inTopic.filter(({ name, email }) => plain(`${name} ${email}`).includes(typed))
  const people = found.filter(({ type }) => type === 'user')
  const bots = found.filter(({ type }) => type === 'bot')
  return (
    <>
      {(people.length > 0 || found.length === 0) && (
        <MemberList title={t.people(people.length)} topic={topic} members={people} />
      )}
      {bots.length > 0 && <MemberList title={t.bots(bots.length)} topic={topic} members={bots} />}
    </>
  )
}

/** Members of a topic in an organization with many: read page by page as the list is scrolled, and searched by the server. */
function FoundMembers({ topic, search }: { topic: ChatTopic; search: string }) {
  const t = useTexts(texts)
  const people = useMemberPages(topic, 'user', search)
  const bots = useMemberPages(topic, 'bot', search)
  return (
    <>
      {people.members && (people.total > 0 || bots.total === 0) && (
        <MemberList
          title={t.people(people.total)}
          topic={topic}
          members={people.members}
          onEnd={people.readNext}
        />
      )}
      {bots.members && bots.total > 0 && (
        <MemberList title={t.bots(bots.total)} topic={topic} members={bots.members} onEnd={bots.readNext} />
      )}
    </>
  )
}

function MemberList({
  title,
  topic,
  members,
  onEnd,
}: {
  title: string
  topic: ChatTopic
  members: readonly ChatMember[]
  onEnd?: (() => void) | undefined
}) {
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <WindowedList
        items={members}
        keyOf={({ id }) => id}
        row={(member) => <Member topic={topic} member={member} />}
        rowPx={MEMBER_PX}
        onEnd={onEnd}
        className={styles.members}
      />
    </section>
  )
}

/** The height of most rows. */
const MEMBER_PX = 48

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
      : member.role === 'member' || member.role === 'guest' || member.role === null
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
            <MemberChip {...member} />
            {isMe && <span className={styles.soft}>{s.you}</span>}
          </span>
          {about !== '' && <span className={styles.about}>{about}</span>}
          {online && statusLine(member) !== '' && <span className={styles.about}>{statusLine(member)}</span>}
        </span>
      </button>
      {topic.isMember && topic.type === 'topic' && !isMe && me?.role !== 'guest' && (
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
