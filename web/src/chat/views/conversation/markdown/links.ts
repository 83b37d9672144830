/** Longer addresses are text: browsers and servers cut them anyway. */
const LONGEST_ADDRESS = 2048
const SCHEMES = ['http:', 'https:', 'mailto:']

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

/** Invisible characters: joiners, marks of direction, selectors, soft hyphens, and what else has no width. */
const UNSEEN = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Script=Inherited}]/gu
/** Signs that look like a slash, a colon or a dot, beside those that stand for it. */
const LOOKALIKES: readonly [RegExp, string][] = [
  [/[\u2044\u2215\u29f8\u2571]/g, '/'],
  [/[\u2236\ua789\u02d0\u05c3]/g, ':'],
  [/[\u3002\u2024\u00b7\u0660\u06d4]/g, '.'],
]
/** Visible characters of a label that are compared. */
const MAX_LABEL = 300
const CLAIMED = /(?:https?:\/\/|www\.)[^\s/?#]{1,255}/gi
const BARE_HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}(\p{L}{2,24})(?::\d{1,5})?(?:[/?#]\S*)?$/u
/** Names of files are no hosts, although some of their endings are domains too. */
const FILE_ENDINGS = new Set(
  (
    'bash bat bin bz bz2 c cc cfg cjs cmd conf cpp cs css csv cts db diff doc docx env exe gif go gz h hs htm html ico ini ' +
    'java jpeg jpg js json jsonl jsx kt lock log lua md mjs ml mov mts odt pdf php pl png ppt pptx ps py rb rs rst scala sh ' +
    'so sql svg swift tar tex tgz toml ts tsv tsx ttf txt vb vue wasm webp woff xls xlsx xml xz yaml yml zip zsh'
  ).split(' '),
)

/** Whether a label, as people see it, claims another host than the one that it leads to. */
export function isDisguised(label: string, href: string): boolean {
  const seen = LOOKALIKES.reduce(
    (text, [signs, sign]) => text.replace(signs, sign),
    label.replace(UNSEEN, '').slice(0, MAX_LABEL).normalize('NFKC').replace(UNSEEN, ''),
  ).trim()
  const claims: string[] = seen.match(CLAIMED) ?? []
  const ending = BARE_HOST.exec(seen)?.[1]?.toLowerCase()
  if (claims.length === 0 && ending !== undefined && !FILE_ENDINGS.has(ending)) claims.push(seen)
  return claims.some((claim) => hostOf(claim) !== hostOf(href))
}

/** The host of an address, without the `www.` that many leave out; undefined if it is none. */
function hostOf(address: string): string | undefined {
  const url = /^[a-z]+:/i.test(address) && !BARE_HOST.test(address) ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : undefined
}

export type ChatLink = { topicId: string } | { messageId: string }

/** The topic or message of this chat that an address leads to. */
export function chatLinkOf(href: string, origin: string): ChatLink | undefined {
  if (!href.startsWith(`${origin}/`)) return undefined
  const [, kind, id] = /^\/([tm])\/([0-9a-f-]{36})$/i.exec(href.slice(origin.length)) ?? []
  if (id === undefined) return undefined
  return kind === 't' ? { topicId: id } : { messageId: id }
}
