/** Longer addresses are text: browsers and servers cut them anyway. */
const LONGEST_ADDRESS = 2048
const SCHEMES = ['http:', 'https:', 'mailto:']
const LOOKS_LIKE_ADDRESS = /^\s*(?:https?:\/\/|www\.)[^\s]+\s*$/i

/** The address that a link leads to; undefined where it must stay text. Without a name or password, which only disguise a host. */
export function safeAddress(address: string): string | undefined {
  if (address.length > LONGEST_ADDRESS) return undefined
  try {
    const url = new URL(address)
    return SCHEMES.includes(url.protocol) && url.username === '' && url.password === '' ? url.href : undefined
  } catch {
    return undefined
  }
}

/** Whether a label claims to be another host's address than the one it leads to. */
export function isDisguised(label: string, href: string): boolean {
  if (!LOOKS_LIKE_ADDRESS.test(label)) return false
  const claimed = label.trim()
  try {
    return new URL(/^www\./i.test(claimed) ? `http://${claimed}` : claimed).host !== new URL(href).host
  } catch {
    return true
  }
}

export type ChatLink = { topicId: string } | { messageId: string }

/** The topic or message of this chat that an address leads to. */
export function chatLinkOf(href: string, origin: string): ChatLink | undefined {
  if (!href.startsWith(`${origin}/`)) return undefined
  const [, kind, id] = /^\/([tm])\/([0-9a-f-]{36})$/i.exec(href.slice(origin.length)) ?? []
  if (id === undefined) return undefined
  return kind === 't' ? { topicId: id } : { messageId: id }
}
