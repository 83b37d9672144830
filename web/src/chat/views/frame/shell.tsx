import {
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Session } from '../../../../../contract/people/session.ts'
import { chatPath } from '../../../api/chat.ts'
import { lazyView, reload } from '../../../api/connection.ts'
import { PaneBoundary } from '../../../kit/boundary.tsx'
import { Button } from '../../../kit/button.tsx'
import { PicturesContext } from '../../../kit/pictures.ts'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { common } from '../../../texts/common.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { sidebarSections } from '../../store/selectors.ts'
import {
  messageInTopicPath,
  organizationPath,
  type SettingsSection,
  threadPath,
  topicPath,
} from '../addresses.ts'
import { type Shell as ShellActions, ShellContext } from '../seam.ts'
import { useFailureText } from './failure-text.ts'
import { useKeyboardRoom } from './keyboard-height.ts'
import { useIsNarrow } from './narrow.ts'
import { type Overlay, OverlayContext, useOverlay } from './overlay.ts'
import styles from './shell.module.css'
import { useShellKeys } from './shell-keys.ts'
import { Sidebar } from './sidebar.tsx'
import { Start } from './start.tsx'
import { Plain } from './states.tsx'
import { TabBar } from './tab-bar.tsx'
import { TopicPlace } from './topic-place.tsx'

const PLACE_VIEWS = {
  tasks: lazyView(() => import('../inbox/my-tasks.tsx')),
  drafts: lazyView(() => import('../inbox/drafts.tsx')),
  saved: lazyView(() => import('../inbox/saved.tsx')),
  threads: lazyView(() => import('../inbox/threads.tsx')),
  mentions: lazyView(() => import('../inbox/mentions.tsx')),
  search: lazyView(() => import('../search/search.tsx')),
}
const Maker = lazyView(() => import('../makers/maker.tsx'))
const Palette = lazyView(() => import('../palette/palette.tsx'))
const KeysDialog = lazyView(() => import('../dialogs/keys-dialog.tsx'))
const CreateTopic = lazyView(() => import('../dialogs/create-topic.tsx'))
const BrowseTopics = lazyView(() => import('../dialogs/browse-topics.tsx'))
const DirectMessage = lazyView(() => import('../dialogs/direct-message.tsx'))
const AddMembers = lazyView(() => import('../dialogs/add-members.tsx'))
const LeaveTopic = lazyView(() => import('../details/leave-topic.tsx'))
const MoveTopic = lazyView(() => import('../dialogs/move-topic.tsx'))
const EditSection = lazyView(() => import('../dialogs/edit-section.tsx'))
const Settings = lazyView(() => import('../settings/settings.tsx'))
const RemindAt = lazyView(() => import('../scheduling/remind-at.tsx'))
const SetStatus = lazyView(() => import('../profile/set-status.tsx'))
const InviteGuest = lazyView(() => import('../dialogs/invite-guest.tsx'))
const EmojiDialog = lazyView(() => import('../dialogs/emoji-dialog.tsx'))
const Groups = lazyView(() => import('../dialogs/groups.tsx'))
const ShareDialog = lazyView(async () => ({ default: (await import('../forward/dialogs.ts')).ShareDialog }))
const Ended = lazyView(async () => ({ default: (await import('./link-place.tsx')).Ended }))
const ProfileCard = lazyView(() => import('../profile/profile-card.tsx'))

/** Places beside the conversations. */
export const PLACES = ['tasks', 'drafts', 'saved', 'threads', 'mentions', 'search'] as const

/** The place that the address opens. */
export type Place =
  | { kind: 'start' | (typeof PLACES)[number] }
  | { kind: 'topic'; topicId: string; threadId: string | undefined }
export type Covering = { kind: 'settings'; section: SettingsSection | undefined }

/** Sidebar, conversation and pane; below 860 px one of them at a time. */
export function Shell({
  session,
  organizationId,
  place: addressed,
  onElsewhere,
}: {
  session: Session
  organizationId: string
  place: Place | Covering
  onElsewhere: (organizationId: string) => void
}) {
  const isNarrow = useIsNarrow()
  useKeyboardRoom()
  const search = useSearch()
  const [location] = useLocation()
  // The settings lie over the place that they were opened from, and lead back to it.
  const below = useRef<{ place: Place; path: string }>({
    place: { kind: 'start' },
    path: organizationPath(organizationId),
  })
  if (addressed.kind !== 'settings')
    below.current = { place: addressed, path: location + (search === '' ? '' : `?${search}`) }
  const { place, path } = below.current
  const [overlay, setOverlay] = useState<Overlay>()
  const typedAhead = useRef('')
  const close = () => {
    typedAhead.current = ''
    setOverlay(undefined)
  }
  const topicId = place.kind === 'topic' ? place.topicId : undefined
  const unread = useChat((state) => sidebarSections(state).unread)
  const unreadIds = useMemo(() => unread.map(({ id }) => id), [unread])
  const isEnded = useChat(({ connection }) => connection === 'ended')
  useShellKeys({
    topicId,
    unreadIds,
    isCovered: overlay !== undefined || addressed.kind === 'settings',
    open: setOverlay,
  })
  const pictureOf = useCallback(
    (fileId: string) => chatPath(organizationId, `/pictures/${fileId}`),
    [organizationId],
  )
  if (isEnded) {
    return (
      <Suspense>
        <Ended />
      </Suspense>
    )
  }
  const isShared = new URLSearchParams(search).has('shared')
  const isListAlone = isNarrow && place.kind === 'start'
  return (
    <OverlayContext value={setOverlay}>
      <PicturesContext value={pictureOf}>
        <WithProfiles topicId={topicId}>
          <div className={styles.shell}>
            {(!isNarrow || isListAlone) && (
              <PaneBoundary>
                <Sidebar
                  session={session}
                  organizationId={organizationId}
                  topicId={topicId}
                  isWhole={isListAlone}
                />
              </PaneBoundary>
            )}
            {!isListAlone && (
              <PaneBoundary of={topicId ?? place.kind}>
                <Middle place={place} isCovered={addressed.kind === 'settings'} onElsewhere={onElsewhere} />
              </PaneBoundary>
            )}
            {isNarrow && place.kind !== 'topic' && <TabBar place={place.kind} />}
          </div>
          <Suspense
            fallback={overlay?.kind === 'palette' && <TypedAhead typed={typedAhead} onClose={close} />}
          >
            {addressed.kind === 'settings' && (
              <Settings session={session} section={addressed.section} back={path} />
            )}
            {isShared && <ShareDialog session={session} />}
            {overlay && <Over overlay={overlay} typed={typedAhead} topicId={topicId} onClose={close} />}
          </Suspense>
        </WithProfiles>
      </PicturesContext>
    </OverlayContext>
  )
}

function Middle({
  place,
  isCovered,
  onElsewhere,
}: {
  place: Place
  isCovered: boolean
  onElsewhere: (organizationId: string) => void
}) {
  const t = useTexts(shell)
  const c = useTexts(common)
  const failure = useChat((state) => state.failure)
  const isFailed = useChat(({ status }) => status === 'failed')
  const failureText = useFailureText()
  if (isFailed) {
    return (
      <Plain title={t.failed.title} text={failure ? failureText(failure) : c.internal}>
        <Button look="primary" onClick={() => void reload()}>
          {c.retry}
        </Button>
      </Plain>
    )
  }
  if (place.kind === 'topic') {
    return <TopicPlace topicId={place.topicId} threadId={place.threadId} onElsewhere={onElsewhere} />
  }
  // The start leads on to a topic, and so away from what covers it.
  if (place.kind === 'start') return isCovered ? <main className={styles.main} /> : <Start />
  const View = PLACE_VIEWS[place.kind]
  return (
    <Suspense>
      <View />
    </Suspense>
  )
}

/** Takes what is typed before the palette has been loaded, which would otherwise go into the message that is being written. */
function TypedAhead({ typed, onClose }: { typed: RefObject<string>; onClose: () => void }) {
  const t = useTexts(shell)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const before = document.activeElement
    field.current?.focus()
    return () => {
      if (before instanceof HTMLElement) before.focus() // the palette goes back there when it closes
    }
  }, [])
  return (
    <VisuallyHidden>
      <input
        ref={field}
        aria-label={t.goTo}
        onChange={({ target }) => {
          typed.current = target.value
        }}
        onKeyDown={({ key }) => key === 'Escape' && onClose()}
      />
    </VisuallyHidden>
  )
}

function Over({
  overlay,
  typed,
  topicId,
  onClose,
}: {
  overlay: Overlay
  typed: RefObject<string>
  topicId: string | undefined
  onClose: () => void
}) {
  switch (overlay.kind) {
    case 'palette':
      return <Palette typedAhead={typed.current} topicId={topicId} onClose={onClose} />
    case 'keys':
      return <KeysDialog onClose={onClose} />
    case 'status':
      return <SetStatus {...overlay} onClose={onClose} />
    case 'remind':
      return <RemindAt messageId={overlay.messageId} onClose={onClose} />
    case 'emoji':
      return <EmojiDialog onClose={onClose} />
    case 'groups':
      return <Groups groupId={overlay.groupId} onClose={onClose} />
    case 'create-topic':
      return <CreateTopic {...(overlay.name !== undefined && { name: overlay.name })} onClose={onClose} />
    case 'browse-topics':
      return <BrowseTopics onClose={onClose} />
    case 'direct-message':
      return <DirectMessage {...overlay} onClose={onClose} />
    case 'add-members':
      return <AddMembers topicId={overlay.topicId} onClose={onClose} />
    case 'invite-guest':
      return <InviteGuest topicId={overlay.topicId} onClose={onClose} />
    case 'leave-topic':
      return <LeaveTopic topicId={overlay.topicId} onClose={onClose} />
    case 'move-topic':
      return <MoveTopic topicId={overlay.topicId} onClose={onClose} />
    case 'section':
      return <EditSection {...overlay} onClose={onClose} />
    case 'make':
      return <Maker request={overlay.request} onClose={onClose} />
  }
}

/** The calls that conversations make to the shell, and the card beside a face. */
function WithProfiles({ topicId, children }: { topicId: string | undefined; children: React.ReactNode }) {
  const [, navigate] = useLocation()
  const [profile, setProfile] = useState<{ memberId: string; anchor: Element }>()
  const open = useOverlay()
  const go = useRef(navigate)
  go.current = navigate
  const actions = useMemo<ShellActions>(
    () => ({
      openThread: (topic, message) => go.current(threadPath(topic, message)),
      openProfile: (memberId, anchor) => setProfile({ memberId, anchor }),
      goToMessage: (topic, message) => go.current(messageInTopicPath(topic, message)),
      goToTopic: (topic) => go.current(topicPath(topic)),
      make: (request) => open({ kind: 'make', request }),
      manageEmoji: () => open({ kind: 'emoji' }),
      openGroup: (groupId) => open({ kind: 'groups', groupId }),
    }),
    [open],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a card belongs to the place where it was opened
  useEffect(() => setProfile(undefined), [topicId])
  return (
    <ShellContext value={actions}>
      {children}
      {profile && (
        <Suspense>
          <ProfileCard
            key={profile.memberId}
            memberId={profile.memberId}
            anchor={profile.anchor}
            topicId={topicId}
            onClose={() => setProfile(undefined)}
          />
        </Suspense>
      )}
    </ShellContext>
  )
}
