import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSession } from '../../api/session.ts'
import type { ChatActions, ChatState } from '../model.ts'
import { openBrowserChat } from '../sync/browser-chat.ts'
import type { OpenChat } from '../sync/open-chat.ts'
import type { ChatStore } from './store.ts'

/** The empty shell is shown if the stored chat takes longer to read. */
const KEPT_READ_MS = 300

export type Chat = { store: ChatStore; actions: ChatActions }

export const ChatContext = createContext<Chat | undefined>(undefined)

let early: { of: string; opened: OpenChat } | undefined
/** A chat has been shown: what would be opened early now would be a second one. */
let isShown = false

/** Opens a chat before anything is drawn, so that the first drawing has what was kept. */
export async function openChatEarly(accountId: string, organizationId: string): Promise<void> {
  if (isShown) return
  const opened = openBrowserChat(accountId, organizationId)
  early = { of: accountId + organizationId, opened }
  await opened.keptRead
}

/** Opens the chat of an organization for what is shown inside of it. */
export function ChatProvider({ organizationId, children }: { organizationId: string; children: ReactNode }) {
  const accountId = useSession().data?.account?.id
  const isEarly = early?.of === `${accountId}${organizationId}`
  const [chat, setChat] = useState<Chat | undefined>(isEarly ? early?.opened : undefined)
  useEffect(() => {
    if (accountId === undefined) return
    isShown = true
    const before = early
    early = undefined
    const isOpen = before?.of === accountId + organizationId
    if (!isOpen) before?.opened.close()
    const opened = before && isOpen ? before.opened : openBrowserChat(accountId, organizationId)
    let isCurrent = true
    const show = () => {
      if (isCurrent) setChat(opened)
    }
    // Drawn once with what was kept, instead of empty first.
    void opened.keptRead.then(show)
    const timer = window.setTimeout(show, KEPT_READ_MS)
    return () => {
      isCurrent = false
      window.clearTimeout(timer)
      opened.close()
      setChat(undefined)
    }
  }, [accountId, organizationId])
  return chat && <ChatContext value={chat}>{children}</ChatContext>
}

function useChatContext(): Chat {
  const chat = useContext(ChatContext)
  if (!chat) throw new Error('not inside of a ChatProvider')
  return chat
}

/**
 * Selects a part of the state and draws again when it differs. `select` should return parts of the state itself, or
 * pass `isEqual` if it creates its result.
 */
export function useChat<Part>(
  select: (state: ChatState) => Part,
  isEqual: (one: Part, other: Part) => boolean = Object.is,
): Part {
  const { store } = useChatContext()
  const last = useRef<{ part: Part } | undefined>(undefined)
  const getPart = () => {
    const part = select(store.getView())
    if (last.current && isEqual(last.current.part, part)) return last.current.part
    last.current = { part }
    return part
  }
  return useSyncExternalStore(store.subscribe, getPart)
}

export const useChatActions = (): ChatActions => useChatContext().actions
