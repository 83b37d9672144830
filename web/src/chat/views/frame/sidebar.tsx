import {
  AtSign,
  Bookmark,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  MessagesSquare,
  Pencil,
  Plus,
  Search,
  SquarePen,
} from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
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
import { SCROLLER, WindowedList } from '../../../kit/windowed.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { MAX_COUNT } from '../../store/counts.ts'
import { mayCreateTopics } from '../../store/directory.ts'
import {
  byActivity,
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
import { type SectionName, TOPIC_ORDERS, useListChoices } from './list-choices.ts'
import { OrganizationMenu } from './organization-menu.tsx'
import { useOverlay } from './overlay.ts'
import { useRowMenu } from './row-menu.tsx'
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
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const mayCreate = useChat(mayCreateTopics)
  const actions = useChatActions()
  const attempt = useAttempt()
  const [location] = useLocation()
  const sections = useChat(sidebarSections)
  const mentions = useChat((state) => unreadTotal(state).mentions)
  const openTasks = useChat(openTaskCount)
  const threads = useChat(unreadThreads)
  const failed = useChat(({ failedLater }) => failedLater)
  const left = sections.unread.length
  const { isCollapsed, toggle, isUnreadFirst, order, choose } = useListChoices(organizationId)
  const unread = useUnreadAbove(isUnreadFirst ? sections.unread : NO_TOPICS, topicId)
  const isListed = useChat(({ hasAllTopics }) => hasAllTopics)
  const scroller = useOpenInSight(topicId)
  const { handlers, menu } = useRowMenu()
  const rows = (topics: readonly ChatTopic[]) => (
    <WindowedList
      items={topics}
      keyOf={({ id }) => id}
      row={(topic) => <SidebarRow topic={topic} isOpen={topic.id === topicId} isTall={isTall} />}
      rowPx={isTall ? TALL_ROW_PX : ROW_PX}
      kept={topics.findIndex(({ id }) => id === topicId)}
      className={styles.rows}
    />
  )
  const above = new Set(unread.map(({ id }) => id))
  /** Rows of a section; of a collapsed one the open conversation alone. */
  const rest = (section: SectionName, topics: readonly ChatTopic[]) =>
    topics.filter(({ id }) => !above.has(id) && (id === topicId || !isCollapsed(section)))
  const fold = (section: SectionName) => ({
    isCollapsed: isCollapsed(section),
    onToggle: () => toggle(section),
  })
  const topics = useMemo(
    () => (order === 'recent' ? [...sections.topics].sort(byActivity) : sections.topics),
    [sections.topics, order],
  )
  const isLong = topics.length > MANY_TOPICS
  // A long list of topics would push them out of sight.
  const direct = (
    <Section
      title={t.directMessages}
      {...fold('direct')}
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
        rows(rest('direct', sections.directMessages))
      )}
    </Section>
  )
  return (
    <div ref={scroller} className={styles.scroll} {...SCROLLER} {...handlers}>
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
      {(left > 0 || isListed) && (
        <Section
          title={left > 0 ? t.unread(left) : t.allRead}
          isLive
          action={
            left > 0 && (
              <button
                type="button"
                className={styles.link}
                onClick={() =>
                  void attempt(actions.markAllRead).then(
                    (done) => done && showToast({ text: t.allReadToast }),
                  )
                }
              >
                {t.markAllRead}
              </button>
            )
          }
        >
          {unread.length > 0 && rows(unread)}
        </Section>
      )}
      {sections.favourites.length > 0 && (
        <Section title={t.favourites} {...fold('favourites')}>
          {rows(rest('favourites', sections.favourites))}
        </Section>
      )}
      {isLong && direct}
      <Section
        title={t.topics}
        {...fold('topics')}
        action={
          <Menu
            label={t.addTopic}
            align="end"
            trigger={(props) => <IconButton {...props} label={t.addTopic} icon={Plus} size="tiny" />}
            entries={() => [
              ...(isGuest
                ? []
                : ([
                    ...(mayCreate
                      ? [
                          {
                            label: t.createTopic,
                            icon: Plus,
                            onSelect: () => open({ kind: 'create-topic' }),
                          } as const,
                        ]
                      : []),
                    { label: t.browseTopics, icon: Search, onSelect: () => open({ kind: 'browse-topics' }) },
                    { kind: 'line' },
                  ] as const)),
              {
                kind: 'choice',
                label: t.list.order,
                value: order,
                options: TOPIC_ORDERS.map((one) => [one, t.list.orders[one]] as const),
                onChange: (chosen) => choose({ order: TOPIC_ORDERS.find((one) => one === chosen) ?? 'name' }),
              },
              {
                kind: 'check',
                label: t.list.unreadFirst,
                isOn: isUnreadFirst,
                onChange: (isOn) => choose({ isUnreadFirst: isOn }),
              },
            ]}
          />
        }
      >
        {sections.topics.length === 0 && sections.favourites.length === 0 ? (
          <p className={styles.none}>{t.noTopics}</p>
        ) : (
          rows(rest('topics', topics))
        )}
      </Section>
      {!isLong && direct}
      {menu}
    </div>
  )
}

const NO_TOPICS: readonly ChatTopic[] = []
/** Direct messages stand above more topics than this. */
const MANY_TOPICS = 20

/** Heights of rows with a mouse: where fingers need more, the list measures it. */
const ROW_PX = 30
const TALL_ROW_PX = 56

function Section({
  title,
  action,
  isLive = false,
  isCollapsed = false,
  onToggle,
  children,
}: {
  title: string
  action?: ReactNode
  isLive?: boolean
  isCollapsed?: boolean
  onToggle?: () => void
  children: ReactNode
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.title}>
        <h2 {...(isLive && { 'aria-live': 'polite' })}>
          {onToggle ? (
            <button type="button" className={styles.fold} onClick={onToggle} aria-expanded={!isCollapsed}>
              {title}
              <Icon icon={isCollapsed ? ChevronRight : ChevronDown} size={14} />
            </button>
          ) : (
            title
          )}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/**
 * Unread topics, as they stand above the others. The open one stays where it was when it was opened: it goes home once it was
 * read and left, and does not move up while it is being looked at.
 */
function useUnreadAbove(unread: readonly ChatTopic[], topicId: string | undefined): readonly ChatTopic[] {
  const openTopic = useChat(({ topics }) => topics.get(topicId ?? ''))
  const opened = useRef<{ topicId: string | undefined; isAbove: boolean }>(undefined)
  if (opened.current?.topicId !== openTopic?.id)
    opened.current = { topicId: openTopic?.id, isAbove: openTopic !== undefined && isUnread(openTopic) }
  const { isAbove } = opened.current ?? { isAbove: false }
  if (!openTopic || unread.includes(openTopic) === isAbove) return unread
  return isAbove ? [openTopic, ...unread] : unread.filter((topic) => topic !== openTopic)
}

/** Scrolls to the open conversation: when another one is opened, and when it has got its place in the list. */
function useOpenInSight(topicId: string | undefined) {
  const scroller = useRef<HTMLDivElement>(null)
  const isListed = useChat(({ hasAllTopics }) => hasAllTopics)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it has its place once all are listed
  useEffect(() => {
    const frame = window.requestAnimationFrame(() =>
      scroller.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' }),
    )
    return () => window.cancelAnimationFrame(frame)
  }, [topicId, isListed])
  return scroller
}
