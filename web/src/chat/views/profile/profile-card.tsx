import {
  AtSign,
  Clock,
  Ear,
  EarOff,
  Mail,
  MessageSquare,
  Pencil,
  Settings2,
  Shield,
  UserRound,
  Zap,
} from 'lucide-react'
import { useContext } from 'react'
import { Link, useLocation } from 'wouter'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import type { MemberProfile } from '../../../../../contract/people/profiles.ts'
import { Button } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { Icon, type LucideIcon } from '../../../kit/icon.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import { named, Words } from '../../../kit/name.tsx'
import PopoverPopup from '../../../kit/popover-popup.tsx'
import { common } from '../../../texts/common.ts'
import { places } from '../../../texts/places.ts'
import { presenceTexts } from '../../../texts/presence.ts'
import { reach } from '../../../texts/reach.ts'
import { shell } from '../../../texts/shell.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { topicDetails as texts } from '../../../texts/topic-details.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { topicPath } from '../addresses.ts'
import { handToComposer } from '../conversation/composer/handed.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useMoment } from '../scheduling/times.ts'
import { INSERT_TEXT } from '../seam.ts'
import { useMemberProfile } from './member-profile.ts'
import { presenceOf, statusLine } from './presence.ts'
import styles from './profile-card.module.css'
import { Prompts } from './prompts.tsx'

const SHARED = 4

/** A member's profile, beside the face or name that was pressed. */
export default function ProfileCard({
  memberId,
  anchor,
  topicId,
  onClose,
}: {
  memberId: string
  anchor: Element
  /** The topic that is open: there they can be mentioned. */
  topicId: string | undefined
  onClose: () => void
}) {
  const t = useTexts(texts).profile
  const member = useChat(({ members }) => members.get(memberId))
  if (!member) return null
  return (
    <PopoverPopup
      label={t.label(member.name)}
      anchor={anchor}
      open
      onOpenChange={(open) => !open && onClose()}
      side="right"
      finalFocus={{ current: anchor instanceof HTMLElement ? anchor : null }}
    >
      <Profile member={member} topicId={topicId} onClose={onClose} />
    </PopoverPopup>
  )
}

function Profile({
  member,
  topicId,
  onClose,
}: {
  member: ChatMember
  topicId: string | undefined
  onClose: () => void
}) {
  const t = useTexts(texts).profile
  const s = useTexts(shell)
  const c = useTexts(common)
  const [, navigate] = useLocation()
  const actions = useChatActions()
  const attempt = useAttempt()
  const online = useChat((state) => state.online)
  const me = useChat((state) => state.me)
  const organizationId = useChat((state) => state.organizationId)
  const mayMention = useChat(({ topics }) => {
    const topic = topicId === undefined ? undefined : topics.get(topicId)
    return topic?.isMember === true && topic.mayWrite
  })
  const isBot = member.type === 'bot'
  const isMe = member.id === me?.id
  const presence = presenceOf(member, online)
  const isHere = presence === 'here'
  const isGone = member.status === 'Archived' || member.status === 'Deleted'
  const write = async (text = '') => {
    const opened = await attempt(async () => {
      const topic = await actions.openDirectMessage([member.id])
      if (text !== '') handToComposer({ topicId: topic.id, text, files: [] })
      navigate(topicPath(topic.id))
    })
    if (opened) onClose()
  }
  const ask = (prompt: string) => void write(prompt)
  const mention = () => {
    onClose()
    const detail = { topicId, text: `@${member.name} ` }
    window.dispatchEvent(new CustomEvent(INSERT_TEXT, { detail }))
  }
  const botState = member.paused ? t.paused : isHere ? t.awake : t.asleep
  const said = isBot ? botState : presence && s[presence]
  const isAdmin = me?.role === 'admin' || me?.role === 'owner'
  return (
    <div className={styles.card}>
      <Face member={member} size={64} presence={isGone ? undefined : presence} />
      <h2>
        <bdi>{member.name}</bdi>
        <MemberChip {...member} />
      </h2>
      {member.title !== undefined && <p className={styles.soft}>{member.title}</p>}
      {(isGone || said !== undefined) && <p className={styles.soft}>{isGone ? t.gone : said}</p>}
      {!isGone && online && <Status member={member} />}
      {!isGone && (
        <div className={styles.buttons}>
          <Button look="primary" icon={MessageSquare} onClick={() => void write()}>
            {t.message}
          </Button>
          {mayMention && !isMe && (
            <Button icon={AtSign} onClick={mention}>
              {t.mention}
            </Button>
          )}
        </div>
      )}
      {isBot && <BotProfile botId={member.id} onAsked={isGone ? undefined : ask} />}
      <ul className={styles.facts}>
        {member.email !== '' && (
          <Fact icon={Mail}>
            <a href={`mailto:${member.email}`}>{member.email}</a>
          </Fact>
        )}
        {member.role !== null && member.role !== 'member' && (
          <Fact icon={Shield}>{c.roles[member.role]}</Fact>
        )}
        {member.timeZone !== undefined && <LocalTime timeZone={member.timeZone} />}
        {isBot && <Fact icon={Zap}>{member.delivery === 'webhook' ? t.webhook : t.polling}</Fact>}
      </ul>
      {isBot && (
        <>
          <h3>{t.hears}</h3>
          <ul className={styles.facts}>
            {topicId !== undefined && <HeardHere topicId={topicId} botId={member.id} />}
            <Fact icon={Ear}>{t.hearsTopics}</Fact>
            <Fact icon={Ear}>{t.hearsDirect}</Fact>
            <Fact icon={EarOff}>{t.hearsElse}</Fact>
          </ul>
        </>
      )}
      {!isMe && <SharedTopics memberId={member.id} onChosen={onClose} />}
      {isBot && isAdmin && (
        <Link
          to={`/console/${organizationId}/bots/${encodeURIComponent(member.id)}`}
          className={styles.more}
          onClick={onClose}
        >
          <Icon icon={Settings2} size={16} />
          {t.openInConsole}
        </Link>
      )}
    </div>
  )
}

/** The member's status, and the end of their do-not-disturb time. */
function Status({ member }: { member: ChatMember }) {
  const t = useTexts(presenceTexts)
  const moment = useMoment()
  const line = statusLine(member)
  return (
    <>
      {line !== '' && (
        <p>
          {line}
          {member.statusUntil !== undefined && (
            <span className={styles.soft}> {t.until(moment(member.statusUntil))}</span>
          )}
        </p>
      )}
      {member.dndUntil !== undefined && <p className={styles.soft}>{t.dndUntil(moment(member.dndUntil))}</p>}
    </>
  )
}

/** How much it hears of the topic that is open, if it is in it. */
function HeardHere({ topicId, botId }: { topicId: string; botId: string }) {
  const t = useTexts(reach)
  const topic = useChat(({ topics }) => topics.get(topicId))
  const heard = topic?.reaches?.[botId] ?? 'everything'
  if (topic?.type !== 'topic' || !topic.memberIds.includes(botId)) return null
  return <Fact icon={Ear}>{t.hears[heard]}</Fact>
}

/** Prompts and purpose of a bot, read when the card opens. */
function BotProfile({ botId, onAsked }: { botId: string; onAsked: ((prompt: string) => void) | undefined }) {
  const profile = useMemberProfile(botId)
  return (
    <>
      {onAsked && <Prompts prompts={profile?.prompts ?? []} onChosen={onAsked} />}
      <BotFacts facts={profile?.bot} />
    </>
  )
}

/** The bot's purpose, owner and rights. */
function BotFacts({ facts }: { facts: MemberProfile['bot'] }) {
  const t = useTexts(places).profile
  const members = useChat((state) => state.members)
  if (!facts) return null
  const owner = members.get(facts.ownerId ?? '')
  return (
    <>
      {facts.description !== '' && (
        <>
          <h3>{t.about}</h3>
          <p className={styles.about}>{facts.description}</p>
        </>
      )}
      <ul className={styles.facts}>
        {owner && (
          <Fact icon={UserRound}>
            <Words text={t.owner(named(owner.name))} />
          </Fact>
        )}
        <Fact icon={Pencil}>{facts.mayWrite ? t.mayWrite : t.mayRead}</Fact>
        <Fact icon={MessageSquare}>{t.inTopics(facts.topics)}</Fact>
      </ul>
    </>
  )
}

function LocalTime({ timeZone }: { timeZone: string }) {
  const t = useTexts(places).profile
  const language = useContext(LanguageContext)
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone }).format(new Date())
  return <Fact icon={Clock}>{t.localTime(time)}</Fact>
}

function Fact({ icon, children }: { icon: LucideIcon; children: React.ReactNode }) {
  return (
    <li>
      <Icon icon={icon} size={16} />
      <span>{children}</span>
    </li>
  )
}

function SharedTopics({ memberId, onChosen }: { memberId: string; onChosen: () => void }) {
  const t = useTexts(texts).profile
  const topics = useChat((state) => state.topics)
  // Topics in the list have only their first members: this may miss large ones, and never names a wrong one.
  const shared = [...topics.values()].filter(
    ({ type, isMember, memberIds }) => type === 'topic' && isMember && memberIds.includes(memberId),
  )
  if (shared.length === 0) return null
  return (
    <>
      <h3>{t.shared}</h3>
      <div className={styles.topics}>
        {shared.slice(0, SHARED).map((topic) => (
          <Link key={topic.id} to={topicPath(topic.id)} onClick={onChosen} className={styles.topic}>
            <bdi>{topic.name}</bdi>
          </Link>
        ))}
        {shared.length > SHARED && <span className={styles.soft}>+{shared.length - SHARED}</span>}
      </div>
    </>
  )
}
