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
  [/[\\\u2044\u2215\u29f8\u2571]/g, '/'],
  [/[\u2236\ua789\u02d0\u05c3]/g, ':'],
  [/[\u3002\u2024\u00b7\u0660\u06d4]/g, '.'],
]
/** Visible characters of a label that are compared. */
const MAX_LABEL = 300
const CLAIMED = /(?:https?:\/+|www\.)[^\s/?#]{1,255}/gi
const BARE_HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}(\p{L}{2,24})(?::\d{1,5})?(?:[/?#]\S*)?$/u
const NUMBERS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:[/?#]\S*)?$/
const SEEN_LETTER = /[\p{L}\p{N}]/u
/** Names of files are no hosts. */
const FILE_ENDINGS = new Set(
  (
    'bash bat bin bz2 c cfg cjs cmd conf cpp cs css csv cts db diff doc docx env exe gif go gz h hs htm html ico ini ' +
    'java jpeg jpg js json jsonl jsx kt lock log lua mjs mts odt pdf php png ppt pptx rb rst scala ' +
    'sql svg swift tar tex tgz toml ts tsv tsx ttf txt vb vue wasm webp woff xls xlsx xml xz yaml yml zsh'
  ).split(' '),
)

/** Endings of files that are domains too: where the address does not end with that name, it is a host. */
const DOMAINS_OF_FILES = new Set('bz cc md ml mov pl ps py rs sh so zip'.split(' '))

/** Whether a label, as people see it, claims another host than the one that it leads to. */
export function isDisguised(label: string, href: string): boolean {
  const seen = LOOKALIKES.reduce(
    (text, [signs, sign]) => text.replace(signs, sign),
    label.replace(UNSEEN, '').slice(0, MAX_LABEL).normalize('NFKC').replace(UNSEEN, ''),
  ).trim()
  const words = seen.split(/\s/).map(withoutSigns)
  const claims = [...(seen.match(CLAIMED) ?? []), ...words.filter((word) => isHost(word, href))]
  return claims.some((claim) => hostOf(claim) !== hostOf(href))
}

/** A word without what stands around it: brackets, quotes, arrows, the end of a sentence, pictures. */
function withoutSigns(word: string): string {
  const signs = [...word]
  const isLetter = (sign: string) => SEEN_LETTER.test(sign)
  return signs.slice(signs.findIndex(isLetter), signs.findLastIndex(isLetter) + 1).join('')
}

/** Whether a word looks like a host, and not like the name of a file to which the address leads. */
function isHost(word: string, href: string): boolean {
  if (NUMBERS.test(word)) return true
  const ending = BARE_HOST.exec(word)?.[1]?.toLowerCase()
  if (ending === undefined || FILE_ENDINGS.has(ending)) return false
  const [path] = href.split(/[?#]/, 1)
  return !(DOMAINS_OF_FILES.has(ending) && `/${path}`.endsWith(`/${word}`))
}

/** The host of an address, without the `www.` that many leave out; undefined if it is none. */
function hostOf(address: string): string | undefined {
  const url = /^[a-z]+:/i.test(address) && !BARE_HOST.test(address) ? address : `http://${address}`
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, '') : undefined
}
