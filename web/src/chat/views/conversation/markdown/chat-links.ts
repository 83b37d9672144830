export type ChatLink = { topicId: string } | { messageId: string }

/** The topic or message of this chat that an address leads to. */
export function chatLinkOf(href: string, origin: string): ChatLink | undefined {
  if (!href.startsWith(`${origin}/`)) return undefined
  const [, kind, id] = /^\/([tm])\/([0-9a-f-]{36})$/i.exec(href.slice(origin.length)) ?? []
  if (id === undefined) return undefined
  return kind === 't' ? { topicId: id } : { messageId: id }
}
