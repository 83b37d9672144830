const STORED = 'parley.emoji'
const FIRST = ['👍', '✅', '❤️', '😂', '🎉', '👀', '🙏', '🚀']
const KEPT = 16

/** The reader's own, the latest first, filled up with common ones. */
export function frequentEmoji(): string[] {
  const own = (localStorage.getItem(STORED) ?? '').split(' ').filter(Boolean)
  return [...new Set([...own, ...FIRST])].slice(0, KEPT)
}

export function rememberEmoji(emoji: string): void {
  const own = frequentEmoji().filter((each) => each !== emoji)
  localStorage.setItem(STORED, [emoji, ...own].slice(0, KEPT).join(' '))
}
