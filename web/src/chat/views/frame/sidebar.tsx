import { AtSign, Bookmark, CircleCheck, MessagesSquare, Pencil, Plus, Search, SquarePen } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import type { Session } from '../../../../../contract/people/session.ts'
import { IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { Icon } from '../../../kit/icon.tsx'
import { CTRL, Keys } from '../../../kit/keys.tsx'
import { Count } from '../../../kit/marks.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { MAX_COUNT } from '../../store/directory.ts'
import {
  isUnread,
  openTaskCount,
  sidebarSections,
  unreadThreads,
  unreadTotal,
} from '../../store/selectors.ts'
import {
  draftsPath,
  mentionsPath,
  savedPath,
  scheduledPath,
  searchPath,
  tasksPath,
  threadsPath,
} from '../addresses.ts'
import { AccountMenu } from './account-menu.tsx'
import { useAttempt } from './attempt.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { useOverlay } from './overlay.ts'
import styles from './sidebar.module.css'
import { SidebarRow } from './sidebar-row.tsx'

/** The list of conversations: unread ones first, so that they can be worked off. */
export function Sidebar({
  session,
  organizationId,
  topicId,
  isWhole,
}: {
  session: Session
  organizationId: string
  topicId: string | undefined
  /** The only column: then it is the page itself. */
  isWhole: boolean
}) {
  const t = useTexts(shell)
  const open = useOverlay()
  const isReady = useChat(({ status }) => status === 'ready')
  const Whole = isWhole ? 'main' : 'nav'
  return (
    <Whole
      className={classes(styles.sidebar, isWhole && styles.whole)}
      aria-label={t.sidebar}
      {...(isWhole && { id: 'content', tabIndex: -1 })}
    >
      <div className={styles.head}>
        <OrganizationMenu session={session} organizationId={organizationId} isHeading={isWhole} />
        <IconButton label={t.newMessage} icon={SquarePen} onClick={() => open({ kind: 'direct-message' })} />
      </div>
      <button type="button" className={styles.find} onClick={() => open({ kind: 'palette' })}>
        <Icon icon={Search} size={18} />
        <span className={styles.words}>{t.goTo}</span>
        <Keys keys={`${CTRL} K`} />
      </button>
      {isReady ? (
        <Sections organizationId={organizationId} topicId={topicId} isTall={isWhole} />
      ) : (
        <SkeletonRows />
      )}
      <AccountMenu />
    </Whole>
  )
}

function Sections({
  organizationId,
  topicId,
  isTall,
}: {
  organizationId: string
  topicId: string | undefined
  isTall: boolean
}) {
  const t = useTexts(shell)
  const open = useOverlay()
  const actions = useChatActions()
  const attempt = useAttempt()
  const [location] = useLocation()
  const sections = useChat(sidebarSections)
  const mentions = useChat((state) => unreadTotal(state).mentions)
  const openTasks = useChat(openTaskCount)
  const threads = useChat(unreadThreads)
  const failed = useChat(({ failedLater }) => failedLater)
  const held = useHeldUnread(sections.unread, topicId)
  const isAbove = (topic: ChatTopic) => held.some(({ id }) => id === topic.id)
  const left = sections.unread.length
  const rows = (topics: readonly ChatTopic[]) => (
    <ul>
      {topics.map((topic) => (
        <li key={topic.id}>
          <SidebarRow topic={topic} isOpen={topic.id === topicId} isTall={isTall} />
        </li>
      ))}
    </ul>
  )
  const rest = (topics: readonly ChatTopic[]) => topics.filter((topic) => !isAbove(topic))
  return (
    <div className={styles.scroll}>
      {(
        [
          [searchPath(organizationId), Search, t.search, null],
          [threadsPath(organizationId), MessagesSquare, t.threads, <Count key="count" value={threads} />],
          [mentionsPath(organizationId), AtSign, t.mentions, <Count key="count" value={mentions} waits />],
          [
            tasksPath(organizationId),
            CircleCheck,
            t.myTasks,
            openTasks < MAX_COUNT ? openTasks || null : '99+',
          ],
          [savedPath(organizationId), Bookmark, t.saved, null],
          [
            failed > 0 ? scheduledPath(organizationId) : draftsPath(organizationId),
            Pencil,
            t.drafts,
            failed > 0 ? (
              <Count key="count" value={failed} waits isMention={false} says={t.notSent(failed)} />
            ) : (
              sections.drafts.length || null
            ),
          ],
        ] as const
      ).map(([path, icon, label, amount]) => (
        <Link
          key={path}
          to={path}
          className={classes(styles.place, location === path.split('?')[0] && styles.open)}
        >
          <Icon icon={icon} size={18} />
          <span className={styles.words}>{label}</span>
          {amount !== null && <span className={styles.amount}>{amount}</span>}
        </Link>
      ))}
      <Section
        title={left > 0 ? t.unread(left) : t.allRead}
        isLive
        action={
          left > 0 && (
            <button
              type="button"
              className={styles.link}
              onClick={() =>
                void attempt(actions.markAllRead).then((done) => done && showToast({ text: t.allReadToast }))
              }
            >
              {t.markAllRead}
            </button>
          )
        }
      >
        {held.length > 0 && rows(held)}
      </Section>
      {sections.favourites.length > 0 && (
        <Section title={t.favourites}>{rows(rest(sections.favourites))}</Section>
      )}
      <Section
        title={t.topics}
        action={
          <Menu
            label={t.addTopic}
            align="end"
            trigger={(props) => <IconButton {...props} label={t.addTopic} icon={Plus} size="tiny" />}
            entries={() => [
              { label: t.createTopic, icon: Plus, onSelect: () => open({ kind: 'create-topic' }) },
              { label: t.browseTopics, icon: Search, onSelect: () => open({ kind: 'browse-topics' }) },
            ]}
          />
        }
      >
        {sections.topics.length === 0 && sections.favourites.length === 0 ? (
          <p className={styles.none}>{t.noTopics}</p>
        ) : (
          rows(rest(sections.topics))
        )}
      </Section>
      <Section
        title={t.directMessages}
        action={
          <IconButton
            label={t.newDirectMessage}
            icon={Plus}
            size="tiny"
            onClick={() => open({ kind: 'direct-message' })}
          />
        }
      >
        {sections.directMessages.length === 0 ? (
          <p className={styles.none}>{t.noDirectMessages}</p>
        ) : (
          rows(rest(sections.directMessages))
        )}
      </Section>
    </div>
  )
}

function Section({
  title,
  action,
  isLive = false,
  children,
}: {
  title: string
  action?: ReactNode
  isLive?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.title}>
        <h2 {...(isLive && { 'aria-live': 'polite' })}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Unread topics, and the open one if it was unread: it moves back once it was read and left, not under the pointer. */
function useHeldUnread(unread: readonly ChatTopic[], topicId: string | undefined): readonly ChatTopic[] {
  const held = useRef<{ topicId: string | undefined; isHeld: boolean }>({ topicId, isHeld: false })
  const openTopic = useChat(({ topics }) => (topicId === undefined ? undefined : topics.get(topicId)))
  if (held.current.topicId !== topicId) held.current = { topicId, isHeld: false }
  if (openTopic && isUnread(openTopic)) held.current.isHeld = true
  if (!openTopic || !held.current.isHeld || unread.includes(openTopic)) return unread
  return [openTopic, ...unread]
}
