import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import type { FieldWiring } from '../../../../kit/field.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChat } from '../../../store/context.tsx'
import { type ArgumentQuery, argumentAt, type Query, queryAt } from './completion.ts'
import type { OwnCommand } from './own-commands.ts'
import { sends, useSendKey } from './send-key.ts'
import {
  continueList,
  linkOver,
  makeLink,
  type Replacement,
  type Selection,
  toggleCode,
  toggleList,
  toggleMark,
} from './shortcuts.ts'
import { type Suggestion, SuggestionList, useArgumentSuggestions, useSuggestions } from './suggestions.tsx'
import styles from './writing-field.module.css'
import { encode, pick, type Written } from './written.ts'

const NO_COMMANDS: readonly OwnCommand[] = []

export type WritingHandle = {
  focus: () => void
  /** Replaces the selection. */
  insert: (text: string) => void
  bold: () => void
  italic: () => void
  code: () => void
  link: () => void
  list: () => void
}

/** A text field that grows, completes names, topics and emoji, and knows the keys of Markdown. */
export function WritingField({
  topicId,
  label,
  placeholder,
  written,
  onChange,
  onSubmit,
  onEscape,
  onUp,
  onFiles,
  onFocus,
  ownCommands = NO_COMMANDS,
  above,
  autoFocus = false,
  wiring,
  ref,
}: {
  /** The topic whose members can be mentioned; empty where none is chosen yet. */
  topicId: string
  label: string
  placeholder?: string | undefined
  written: Written
  onChange: (written: Written) => void
  onSubmit: () => void
  onEscape?: (() => void) | undefined
  /** Arrow up in an empty field. */
  onUp?: (() => void) | undefined
  onFiles?: ((files: readonly File[]) => void) | undefined
  onFocus?: () => void
  /** Commands of Parley, offered beside those of bots. */
  ownCommands?: readonly OwnCommand[]
  /** The place of suggestions: in the flow of the page, so that they lift the messages and hide none. */
  above: HTMLElement | null
  autoFocus?: boolean
  /** Attributes that tie it to the label, hint and mistake of a form's field. */
  wiring?: FieldWiring | undefined
  ref?: Ref<WritingHandle> | undefined
}) {
  const t = useTexts(composerTexts)
  const sendKey = useSendKey()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const topicName = useChat((state) => state.topics.get(topicId)?.name ?? '')
  const [word, setWord] = useState<Query>()
  const [argument, setArgument] = useState<ArgumentQuery>()
  const [closedAt, setClosedAt] = useState<number>()
  const [active, setActive] = useState(0)
  const forWord = useSuggestions(topicId, word, ownCommands)
  const forArgument = useArgumentSuggestions(topicId, argument, (text) => encode({ ...written, text }))
  // A list that a sign opens comes before one of arguments.
  const [query, found] = forWord.length > 0 ? [word, forWord] : [argument, forArgument]
  const suggestions = query && query.start !== closedAt ? found : []
  const isOpen = suggestions.length > 0
  const chosen = suggestions[Math.min(active, suggestions.length - 1)]

  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    // The text decides the height, up to what the style allows.
    element.style.height = '0'
    element.style.height = `${written.text === '' ? 0 : element.scrollHeight}px`
  }, [written.text])
  useLayoutEffect(() => {
    if (!autoFocus) return
    const element = field.current
    element?.focus()
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [autoFocus])

  const lookForQuery = () => {
    const element = field.current
    if (!element) return
    const isCaret = element.selectionStart === element.selectionEnd
    const next = isCaret ? queryAt(element.value, element.selectionStart) : undefined
    const written = isCaret ? argumentAt(element.value, element.selectionStart) : undefined
    if (next?.start !== word?.start || next?.typed !== word?.typed || written?.typed !== argument?.typed)
      setActive(0)
    if (next?.start !== closedAt && written?.start !== closedAt) setClosedAt(undefined)
    setWord(next)
    setArgument(written)
  }

  const closeQuery = () => {
    setWord(undefined)
    setArgument(undefined)
  }

  /** Inserts text as typing does, so that the browser can undo it. */
  const replace = ({ from, to, insert, start, end }: Replacement) => {
    const element = field.current
    if (!element) return
    element.focus()
    element.setSelectionRange(from, to)
    const isTyped =
      insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert)
    if (!isTyped) {
      element.setRangeText(insert, from, to, 'end')
      onChange({ ...written, text: element.value })
    }
    element.setSelectionRange(start, end)
  }
  const selection = (): Selection => ({
    text: field.current?.value ?? '',
    start: field.current?.selectionStart ?? 0,
    end: field.current?.selectionEnd ?? 0,
  })
  const insertAt = (from: number, to: number, insert: string) =>
    replace({ from, to, insert, start: from + insert.length, end: from + insert.length })
  const handle: WritingHandle = {
    focus: () => field.current?.focus(),
    insert: (text) => {
      const { start, end } = selection()
      insertAt(start, end, text)
      lookForQuery()
    },
    bold: () => replace(toggleMark(selection(), '**')),
    italic: () => replace(toggleMark(selection(), '_')),
    code: () => replace(toggleCode(selection())),
    link: () => replace(makeLink(selection())),
    list: () => replace(toggleList(selection())),
  }
  useImperativeHandle(ref, () => handle)

  /** Picks are known before the text changes: what is typed asks for them. */
  const picks = useRef(written.picks)
  picks.current = written.picks
  const take = (suggestion: Suggestion) => {
    const element = field.current
    if (!query || !element) return
    const to = element.selectionStart
    closeQuery()
    if (suggestion.kind === 'emoji') return insertAt(query.start, to, `${suggestion.emoji.emoji} `)
    if (suggestion.kind === 'own') return insertAt(query.start, to, `/${suggestion.command.name} `)
    if (suggestion.kind === 'value') return insertAt(query.start, to, `${suggestion.text} `)
    const added = pick({ picks: picks.current }, suggestion.picked.label, suggestion.picked.wire)
    picks.current = added.picks
    insertAt(query.start, to, `${added.label} `)
  }

  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // Enter and arrows belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return
    if (isOpen && chosen) {
      const count = suggestions.length
      const keys: Record<string, () => void> = {
        ArrowDown: () => setActive((active + 1) % count),
        ArrowUp: () => setActive((active + count - 1) % count),
        Enter: () => take(chosen),
        Tab: () => take(chosen),
        Escape: () => setClosedAt(query?.start),
      }
      const act = event.shiftKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key]
      if (act) {
        event.preventDefault()
        event.stopPropagation()
        return act()
      }
    }
    if (sends(event, sendKey)) {
      event.preventDefault()
      return onSubmit()
    }
    const point = event.key === 'Enter' ? continueList(selection()) : undefined
    if (point) {
      event.preventDefault()
      return replace(point)
    }
    if (event.key === 'Escape' && onEscape) {
      event.preventDefault()
      event.stopPropagation()
      return onEscape()
    }
    if (event.key === 'ArrowUp' && written.text === '' && onUp) {
      event.preventDefault()
      return onUp()
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const shortcuts: Record<string, () => void> = {
      b: handle.bold,
      i: handle.italic,
      e: handle.code,
      // Ctrl+K makes a link of a selection. Without one it opens search, like everywhere else.
      ...(selection().start !== selection().end && { k: handle.link }),
    }
    const act = shortcuts[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const pasted = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    const link = linkOver(selection(), event.clipboardData.getData('text/plain'))
    if (link && files.length === 0) {
      event.preventDefault()
      return replace(link)
    }
    if (files.length === 0 || !onFiles) return
    event.preventDefault()
    onFiles(files)
  }

  const titles = {
    '@': topicName === '' ? t.suggestions : t.mentionIn(topicName),
    '#': t.topics,
    ':': t.emojis,
    '/': t.commands,
  }
  return (
    <>
      {isOpen &&
        query &&
        above &&
        createPortal(
          <SuggestionList
            id={id}
            title={query === word && word ? titles[word.sign] : `/${argument?.command}`}
            suggestions={suggestions}
            active={Math.min(active, suggestions.length - 1)}
            onPick={take}
          />,
          above,
        )}
      <textarea
        {...wiring}
        ref={field}
        className={styles.field}
        rows={1}
        dir="auto"
        value={written.text}
        placeholder={placeholder}
        aria-label={label}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? id : undefined}
        aria-activedescendant={isOpen ? `${id}-${Math.min(active, suggestions.length - 1)}` : undefined}
        enterKeyHint="enter"
        onChange={({ target }) => {
          onChange({ text: target.value, picks: picks.current })
          lookForQuery()
        }}
        onSelect={lookForQuery}
        onFocus={onFocus}
        onBlur={closeQuery}
        onKeyDown={pressed}
        onPaste={pasted}
      />
    </>
  )
}
