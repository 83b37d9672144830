import {
  AtSign,
  Bookmark,
  ChevronDown,
  ChevronRight,
  CircleCheck,
  FolderPlus,
  MessagesSquare,
  Pencil,
  Plus,
  Search,
  SquarePen,
} from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ChatTopic, SidebarSection } from '../../../../../contract/people/chat-records.ts'
import type { Session } from '../../../../../contract/people/session.ts'
import { lazyView } from '../../../api/connection.ts'
import { IconButton } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { Icon } from '../../../kit/icon.tsx'
import { CTRL, Keys } from '../../../kit/keys.tsx'
import { Count } from '../../../kit/marks.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { SCROLLER, WindowedList } from '../../../kit/windowed.tsx'
import { sections as sectionTexts } from '../../../texts/sections.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { MAX_COUNT } from '../../store/counts.ts'
import { mayCreateTopics } from '../../store/directory.ts'
import { sectionOf } from '../../store/sections.ts'
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
import { useRowMenu } from './row-menu.tsx'
import { useRowMoves } from './row-moves.ts'
import { useSectionName } from './section-names.ts'
import styles from './sidebar.module.css'
import { SidebarRow } from './sidebar-row.tsx'

const SectionMenu = lazyView(() => import('./section-menu.tsx'))

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
      {!isWhole && <AccountMenu />}
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
  const isListed = useChat(({ hasAllTopics }) => hasAllTopics)
  const { unread: unreadTopics, groups } = useChat(sidebarSections)
  const isUnreadFirst = useChat(({ sections }) => !sectionOf(sections, 'unread').folded)
  const unread = useUnreadAbove(isUnreadFirst ? unreadTopics : NO_TOPICS, topicId)
  const scroller = useOpenInSight(topicId)
  const { handlers, menu } = useRowMenu()
  const moves = useRowMoves()
  const above = new Set(unread.map(({ id }) => id))
  /** Rows of a section; of a folded one the open conversation alone. */
  const shown = groups.map(({ section, topics }) => ({
    section,
    count: topics.length,
    topics: topics.filter(({ id }) => !above.has(id) && (id === topicId || !section.folded)),
  }))
  const direct = shown.filter(({ section }) => section.id === 'direct')
  const others = shown.filter(
    ({ section, count }) => section.id !== 'direct' && (section.id !== 'favourites' || count > 0),
  )
  const isLong = others.reduce((sum, { topics }) => sum + topics.length, 0) > MANY_TOPICS
  const rows = (topics: readonly ChatTopic[]) => <Rows topics={topics} topicId={topicId} isTall={isTall} />
  return (
    <div ref={scroller} className={styles.scroll} {...SCROLLER} {...handlers} {...moves}>
      <Places organizationId={organizationId} hasTabs={isTall} />
      {(unreadTopics.length > 0 || isListed) && (
        <UnreadSection left={unreadTopics.length}>{unread.length > 0 && rows(unread)}</UnreadSection>
      )}
      {(isLong ? [...direct, ...others] : [...others, ...direct]).map(({ section, count, topics }) => {
        const isBounded = section.id === 'direct' && isLong
        return (
          <Group key={section.id} section={section}>
            {count === 0 ? (
              <Empty section={section} />
            ) : isBounded ? (
              <FirstOf topics={topics} topicId={topicId}>
                {rows}
              </FirstOf>
            ) : (
              rows(topics)
            )}
          </Group>
        )
      })}
      {menu}
    </div>
  )
}

const NO_TOPICS: readonly ChatTopic[] = []
/** Direct messages stand above more topics than this, which would push them out of sight. */
const MANY_TOPICS = 20
/** Direct messages that are shown above so many topics, unless all are asked for. */
const FIRST_DIRECT = 12

/** Heights of rows with a mouse: where fingers need more, the list measures it. */
const ROW_PX = 30
const TALL_ROW_PX = 56

function Rows({
  topics,
  topicId,
  isTall,
}: {
  topics: readonly ChatTopic[]
  topicId: string | undefined
  isTall: boolean
}) {
  return (
    <WindowedList
      items={topics}
      keyOf={({ id }) => id}
      row={(topic) => <SidebarRow topic={topic} isOpen={topic.id === topicId} isTall={isTall} />}
      rowPx={isTall ? TALL_ROW_PX : ROW_PX}
      kept={topics.findIndex(({ id }) => id === topicId)}
      className={styles.rows}
    />
  )
}

/** The first of many, with the open one, and a button for all. */
function FirstOf({
  topics,
  topicId,
  children,
}: {
  topics: readonly ChatTopic[]
  topicId: string | undefined
  children: (topics: readonly ChatTopic[]) => ReactNode
}) {
  const t = useTexts(sectionTexts)
  const [isWhole, setWhole] = useState(false)
  if (isWhole || topics.length <= FIRST_DIRECT) return children(topics)
  return (
    <>
      {children(topics.filter(({ id }, at) => at < FIRST_DIRECT || id === topicId))}
      <button type="button" className={styles.all} onClick={() => setWhole(true)}>
        {t.showAll(topics.length)}
      </button>
    </>
  )
}

/** What a phone has as tabs, its list leaves out. */
function Places({ organizationId, hasTabs }: { organizationId: string; hasTabs: boolean }) {
  const t = useTexts(shell)
  const [location] = useLocation()
  const mentions = useChat((state) => unreadTotal(state).mentions)
  const openTasks = useChat(openTaskCount)
  const threads = useChat(unreadThreads)
  const failed = useChat(({ failedLater }) => failedLater)
  const drafts = useChat((state) => sidebarSections(state).drafts.length)
  const places = [
    [searchPath(organizationId), Search, t.search, null],
    [threadsPath(organizationId), MessagesSquare, t.threads, <Count key="count" value={threads} />],
    [mentionsPath(organizationId), AtSign, t.mentions, <Count key="count" value={mentions} waits />],
    [tasksPath(organizationId), CircleCheck, t.myTasks, openTasks < MAX_COUNT ? openTasks || null : '99+'],
    [savedPath(organizationId), Bookmark, t.saved, null],
    [
      failed > 0 ? scheduledPath(organizationId) : draftsPath(organizationId),
      Pencil,
      t.drafts,
      failed > 0 ? (
        <Count key="count" value={failed} waits isMention={false} says={t.notSent(failed)} />
      ) : (
        drafts || null
      ),
    ],
  ] as const
  const shown = hasTabs ? places.filter(([, icon]) => icon !== Search && icon !== AtSign) : places
  return shown.map(([path, icon, label, amount]) => (
    <Link
      key={path}
      to={path}
      className={classes(styles.place, location === path.split('?')[0] && styles.open)}
    >
      <Icon icon={icon} size={18} />
      <span className={styles.words}>{label}</span>
      {amount !== null && <span className={styles.amount}>{amount}</span>}
    </Link>
  ))
}

function UnreadSection({ left, children }: { left: number; children: ReactNode }) {
  const t = useTexts(shell)
  const actions = useChatActions()
  const attempt = useAttempt()
  const title = left > 0 ? t.unread(left) : t.allRead
  const markAllRead = async () => {
    if (await attempt(actions.markAllRead)) showToast({ text: t.allReadToast })
  }
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.title}>
        <h2 aria-live="polite">{title}</h2>
        {left > 0 && (
          <button type="button" className={styles.link} onClick={() => void markAllRead()}>
            {t.markAllRead}
          </button>
        )}
      </div>
      {children}
    </section>
  )
}

/** A section that folds. One of the person's own can be dragged by its head. */
function Group({ section, children }: { section: SidebarSection; children: ReactNode }) {
  const attempt = useAttempt()
  const actions = useChatActions()
  const title = useSectionName()(section)
  const { id, name, folded } = section
  return (
    <section className={styles.section} aria-label={title} data-section={id}>
      <div className={styles.title} {...(name !== undefined && { draggable: true, 'data-section-head': id })}>
        <h2>
          <button
            type="button"
            className={styles.fold}
            onClick={() => void attempt(() => actions.updateSection(id, { folded: !folded }))}
            aria-expanded={!folded}
          >
            <bdi className={styles.name}>{title}</bdi>
            <Icon icon={folded ? ChevronRight : ChevronDown} size={14} />
          </button>
        </h2>
        <span className={styles.more}>
          <Suspense>
            <SectionMenu section={section} />
          </Suspense>
        </span>
        <NewHere sectionId={id} />
      </div>
      {children}
    </section>
  )
}

/** The button that makes what a section is for. */
function NewHere({ sectionId }: { sectionId: string }) {
  const t = useTexts(shell)
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const mayCreate = useChat(mayCreateTopics)
  const s = useTexts(sectionTexts)
  const open = useOverlay()
  if (sectionId === 'direct') {
    return (
      <IconButton
        label={t.newDirectMessage}
        icon={Plus}
        size="tiny"
        onClick={() => open({ kind: 'direct-message' })}
      />
    )
  }
  if (sectionId !== 'topics') return null
  return (
    <Menu
      label={t.addTopic}
      align="end"
      trigger={(props) => <IconButton {...props} label={t.addTopic} icon={Plus} size="tiny" />}
      entries={() => [
        ...(mayCreate && !isGuest
          ? [{ label: t.createTopic, icon: Plus, onSelect: () => open({ kind: 'create-topic' }) } as const]
          : []),
        ...(isGuest
          ? []
          : ([
              { label: t.browseTopics, icon: Search, onSelect: () => open({ kind: 'browse-topics' }) },
              { kind: 'line' },
            ] as const)),
        { label: s.create, icon: FolderPlus, onSelect: () => open({ kind: 'section' }) },
      ]}
    />
  )
}

function Empty({ section: { id, folded } }: { section: SidebarSection }) {
  const t = useTexts(shell)
  const s = useTexts(sectionTexts)
  if (folded) return null
  return (
    <p className={styles.none}>
      {id === 'direct' ? t.noDirectMessages : id === 'topics' ? t.noTopics : s.empty}
    </p>
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
