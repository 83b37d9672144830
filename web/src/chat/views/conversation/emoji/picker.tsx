import { type KeyboardEvent, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { Button } from '../../../../kit/button.tsx'
import { conversationTexts } from '../../../../texts/chat-conversation.ts'
import { emojiTexts } from '../../../../texts/emoji.ts'
import { LanguageContext, useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { useShell } from '../../seam.ts'
import { EmojiText } from './custom.tsx'
import { customEmoji, type Emoji, findEmoji, GROUPS, type Group, loadEmoji } from './data.ts'
import { frequentEmoji, rememberEmoji } from './frequent.ts'
import styles from './picker.module.css'

const COLUMNS = 8
const FOUND = 80

type Row = { head: string } | { cells: readonly Cell[] }
type Cell = { emoji: string; label: string }

/** All emoji by group, and those that a word finds. Arrow keys move, Enter picks. */
export default function EmojiPicker({
  hasCustom = true,
  onPick,
}: {
  /** Whether the organization's own are among them. */
  hasCustom?: boolean
  onPick: (emoji: string) => void
}) {
  const t = useTexts(emojiTexts)
  const { manageEmoji } = useShell()
  const pictures = useChat((state) => state.emoji)
  const { loadFailed } = useTexts(conversationTexts)
  const language = useContext(LanguageContext)
  const [listed, setListed] = useState<Emoji[]>()
  const [hasFailed, setFailed] = useState(false)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const list = useRef<VListHandle>(null)

  useEffect(() => {
    loadEmoji(language).then(setListed, () => setFailed(true))
  }, [language])

  const all = useMemo(
    () => listed && [...(hasCustom ? customEmoji(pictures) : []), ...listed],
    [listed, hasCustom, pictures],
  )
  const rows = useMemo(() => rowsOf(all ?? [], typed, t.frequent, t.groups), [all, typed, t])
  const cells = useMemo(() => rows.flatMap((row) => ('cells' in row ? row.cells : [])), [rows])
  const chosen = cells[active]

  const pick = (emoji: string) => {
    rememberEmoji(emoji)
    onPick(emoji)
  }
  const move = (to: number) => {
    const next = Math.max(0, Math.min(cells.length - 1, to))
    setActive(next)
    let before = 0
    const row = rows.findIndex((each) => {
      if (!('cells' in each)) return false
      before += each.cells.length
      return next < before
    })
    list.current?.scrollToIndex(row, { align: 'nearest' })
  }
  const pressed = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: COLUMNS,
      ArrowUp: -COLUMNS,
      ArrowRight: document.dir === 'rtl' ? -1 : 1,
      ArrowLeft: document.dir === 'rtl' ? 1 : -1,
    }
    const step = steps[event.key]
    const isInText = typed !== '' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
    if (step !== undefined && !isInText) {
      event.preventDefault()
      move(active + step)
    } else if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      pick(chosen.emoji)
    }
  }

  let start = 0
  const starts = rows.map((row) => {
    const here = start
    if ('cells' in row) start += row.cells.length
    return here
  })
  return (
    <div className={styles.picker}>
      <input
        className={styles.search}
        type="search"
        // biome-ignore lint/a11y/noAutofocus: who opens it wants to type or to move
        autoFocus
        value={typed}
        placeholder={t.search}
        aria-label={t.search}
        role="combobox"
        aria-expanded
        aria-controls="emoji-grid"
        aria-activedescendant={chosen ? `emoji-${active}` : undefined}
        onChange={({ target }) => {
          setTyped(target.value)
          setActive(0)
        }}
        onKeyDown={pressed}
      />
      <div id="emoji-grid" role="listbox" aria-label={t.all} className={styles.grid}>
        {all !== undefined && cells.length === 0 && <p className={styles.none}>{t.none}</p>}
        {hasFailed && <p className={styles.none}>{loadFailed}</p>}
        <VList ref={list} className={styles.list}>
          {rows.map((row, index) =>
            'head' in row ? (
              <div key={row.head} className={styles.head} role="presentation">
                {row.head}
              </div>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
              <div key={index} className={styles.row} role="presentation">
                {row.cells.map(({ emoji, label }, column) => {
                  const place = (starts[index] ?? 0) + column
                  return (
                    <button
                      key={emoji}
                      id={`emoji-${place}`}
                      type="button"
                      role="option"
                      tabIndex={-1}
                      aria-selected={place === active}
                      aria-label={label}
                      title={label}
                      className={styles.cell}
                      onClick={() => pick(emoji)}
                    >
                      <EmojiText text={emoji} />
                    </button>
                  )
                })}
              </div>
            ),
          )}
        </VList>
      </div>
      {hasCustom && (
        <Button look="link" onClick={manageEmoji}>
          {t.manage}
        </Button>
      )}
    </div>
  )
}

function rowsOf(
  all: readonly Emoji[],
  typed: string,
  frequent: string,
  names: Readonly<Record<Group, string>>,
): Row[] {
  if (typed.trim() !== '') return inRows(findEmoji(all, typed, FOUND))
  const labels = new Map(all.map(({ emoji, label }) => [emoji, label]))
  // Another organization's own, or one that was removed, is nothing to pick here.
  const known = frequentEmoji().filter((emoji) => !emoji.startsWith(':') || labels.has(emoji))
  const often = known.map((emoji) => ({ emoji, label: labels.get(emoji) ?? emoji }))
  const groups = Object.entries(GROUPS) as [Group, number][]
  return [
    { head: frequent },
    ...inRows(often),
    ...groups.flatMap(([name, group]): Row[] => {
      const inGroup = all.filter((emoji) => emoji.group === group)
      return inGroup.length === 0 ? [] : [{ head: names[name] }, ...inRows(inGroup)]
    }),
  ]
}

const inRows = (cells: readonly Cell[]): Row[] =>
  Array.from({ length: Math.ceil(cells.length / COLUMNS) }, (_, row) => ({
    cells: cells.slice(row * COLUMNS, (row + 1) * COLUMNS),
  }))
