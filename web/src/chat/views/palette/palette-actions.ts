import {
  ChartColumn,
  CheckCheck,
  CircleCheck,
  Compass,
  Contact,
  Keyboard,
  ListTodo,
  MapPin,
  MessageSquare,
  Moon,
  Pencil,
  Plus,
  Search,
  Settings2,
  Sun,
  UserPlus,
} from 'lucide-react'
import { useContext, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { LucideIcon } from '../../../kit/icon.tsx'
import { PreferencesContext } from '../../../kit/preferences.ts'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { searchTexts } from '../../../texts/search.ts'
import { shell } from '../../../texts/shell.ts'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { mayCreateTopics } from '../../store/directory.ts'
import { draftsPath, searchPath, settingsPath, tasksPath } from '../addresses.ts'
import { useAttempt } from '../frame/attempt.ts'
import { useOverlay } from '../frame/overlay.ts'

type Action = {
  id: string
  name: string
  icon: LucideIcon
  run: () => void
  keys?: string
  /** Offered whatever was typed. */
  always?: boolean
}

/** Actions offered in the palette. */
export function usePaletteActions(typed: string, topicId: string | undefined): Action[] {
  const t = useTexts(shell)
  const p = useTexts(shellPlaces).palette
  const c = useTexts(common)
  const s = useTexts(searchTexts)
  const open = useOverlay()
  const actions = useChatActions()
  const attempt = useAttempt()
  const [, navigate] = useLocation()
  const { setTheme } = useContext(PreferencesContext)
  const organizationId = useChat((state) => state.organizationId)
  const isAdmin = useChat(({ me }) => me?.role === 'admin' || me?.role === 'owner')
  const isGuest = useChat(({ me }) => me?.role === 'guest')
  const mayCreate = useChat(mayCreateTopics)
  const mayWrite = useChat(({ topics }) => topics.get(topicId ?? '')?.mayWrite === true)
  const name = typed.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they call does the same whenever it was made
  return useMemo(() => {
    const markAllRead = async () => {
      if (await attempt(actions.markAllRead)) showToast({ text: t.allReadToast })
    }
    const all: Action[] = [
      {
        id: 'search',
        icon: Search,
        name: name === '' ? s.searchMessages : s.searchFor(name),
        run: () => navigate(searchPath(organizationId, name)),
        always: name !== '',
      },
      {
        id: 'create-topic',
        icon: Plus,
        name: name === '' ? t.createTopic : p.createNamed(name),
        run: () => open({ kind: 'create-topic', name }),
        always: name !== '',
      },
      {
        id: 'direct-message',
        icon: MessageSquare,
        name: t.newDirectMessage,
        run: () => open({ kind: 'direct-message' }),
      },
      {
        id: 'browse-topics',
        icon: Compass,
        name: t.browseTopics,
        run: () => open({ kind: 'browse-topics' }),
      },
      { id: 'mark-all-read', icon: CheckCheck, name: t.markAllRead, run: () => void markAllRead() },
      { id: 'tasks', icon: ListTodo, name: t.myTasks, run: () => navigate(tasksPath(organizationId)) },
      { id: 'drafts', icon: Pencil, name: t.drafts, run: () => navigate(draftsPath(organizationId)) },
      { id: 'keys', icon: Keyboard, name: t.keys, keys: '?', run: () => open({ kind: 'keys' }) },
      {
        id: 'settings',
        icon: Settings2,
        name: t.settings,
        run: () => navigate(settingsPath(organizationId)),
      },
      { id: 'light', icon: Sun, name: `${c.theme.label}: ${c.theme.light}`, run: () => setTheme('light') },
      { id: 'dark', icon: Moon, name: `${c.theme.label}: ${c.theme.dark}`, run: () => setTheme('dark') },
    ]
    if (topicId !== undefined && mayWrite) {
      const place = { topicId }
      all.push(
        {
          id: 'make-poll',
          icon: ChartColumn,
          name: p.makePoll,
          run: () => open({ kind: 'make', request: { kind: 'poll', place } }),
        },
        {
          id: 'make-task',
          icon: CircleCheck,
          name: p.makeTask,
          run: () => open({ kind: 'make', request: { kind: 'task', place } }),
        },
        {
          id: 'make-location',
          icon: MapPin,
          name: p.makeLocation,
          run: () => open({ kind: 'make', request: { kind: 'location', place } }),
        },
        {
          id: 'make-contact',
          icon: Contact,
          name: p.makeContact,
          run: () => open({ kind: 'make', request: { kind: 'contact', place } }),
        },
      )
    }
    if (isAdmin) {
      all.push(
        {
          id: 'console',
          icon: Settings2,
          name: t.openConsole,
          run: () => navigate(`/console/${organizationId}`),
        },
        {
          id: 'invite',
          icon: UserPlus,
          name: t.invite,
          run: () => navigate(`/console/${organizationId}/members?invite`),
        },
      )
    }
    const isOffered = ({ id }: Action) =>
      id === 'create-topic' ? mayCreate : id === 'browse-topics' ? !isGuest : true
    return all.filter(isOffered)
  }, [name, t, p, c, s, isAdmin, isGuest, mayCreate, organizationId, topicId, mayWrite])
}
