/** Letters before the `@` of an address of mail, as RFC 5321 bounds them. */
const MAX_MAILBOX = 64
const ADDRESS = /[^\s<]+/y
/** The bracket may end the label of a link that the address stands in. */
const ADDRESS_IN_BRACKETS = /[^\s<\]]+/y
const MAILBOX_LETTER = /[a-z0-9._+-]/i
const MAIL_HOST = /[a-z0-9][a-z0-9-]{0,62}(?:\.[a-z0-9-]{0,62}[a-z0-9]){1,8}(?![\w@-])/iy
const ANGLED = /<((?:https?:\/\/|mailto:)[^\s<>]{1,2048})>/iy
const ANGLED_MAIL = /<([a-z0-9._+-]{1,64}@[a-z0-9.-]{1,255})>/iy

export type Found = { address: string; text: string; start: number; end: number }

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** The address that begins with `http://`, `https://` or `www.` at this place, without the punctuation of its sentence. */
export function addressAt(
  text: string,
  at: number,
  scheme: string,
  isInBrackets: boolean,
): Found | undefined {
  if (!/^[\p{L}\p{N}]/u.test(text.slice(at + scheme.length, at + scheme.length + 2))) return undefined
  const shown = matchAt(isInBrackets ? ADDRESS_IN_BRACKETS : ADDRESS, text, at)?.[0] ?? ''
  const end = at + withoutEnd(shown)
  const address = text.slice(at, end)
  if (address.length <= scheme.length) return undefined
  return { address: /^www\./i.test(scheme) ? `http://${address}` : address, text: address, start: at, end }
}

/** The length of an address without what ends a sentence, and without brackets that it did not open. */
function withoutEnd(address: string): number {
  let open = 0
  for (const letter of address) open += letter === '(' ? 1 : letter === ')' ? -1 : 0
  let length = address.length
  for (; length > 0; length--) {
    const last = address.charAt(length - 1)
    if (last === ')' && open < 0) open += 1
    else if (!'?!.,:;*_~\'"`|'.includes(last)) break
  }
  return length
}

/** The address of mail around the `@` at this place, of which nothing before `from` is a part. */
export function mailAt(text: string, at: number, from: number): Found | undefined {
  let start = at
  while (start > from && at - start < MAX_MAILBOX && MAILBOX_LETTER.test(text.charAt(start - 1))) start -= 1
  const host = start < at ? matchAt(MAIL_HOST, text, at + 1)?.[0] : undefined
  if (host === undefined) return undefined
  const end = at + 1 + host.length
  const address = text.slice(start, end)
  return { address: `mailto:${address}`, text: address, start, end }
}

/** An address in angle brackets. */
export function angledAt(text: string, at: number): Found | undefined {
  const plain = matchAt(ANGLED, text, at)
  const [whole, address = ''] = plain ?? matchAt(ANGLED_MAIL, text, at) ?? []
  if (whole === undefined) return undefined
  return { address: plain ? address : `mailto:${address}`, text: address, start: at, end: at + whole.length }
}
