/** A text with what is selected in it. */
export type Selection = { text: string; start: number; end: number }
/** A part of the text, its replacement, and the selection afterwards. */
export type Replacement = { from: number; to: number; insert: string; start: number; end: number }

/** Puts marks around what is selected, or takes them away where they are. */
export function toggleMark({ text, start, end }: Selection, mark: string): Replacement {
  const { length } = mark
  const isInside = text.slice(start - length, start) === mark && text.slice(end, end + length) === mark
  const selected = text.slice(start, end)
  if (isInside && start >= length) {
    const from = start - length
    return { from, to: end + length, insert: selected, start: from, end: end - length }
  }
  const isAround = selected.length >= 2 * length && selected.startsWith(mark) && selected.endsWith(mark)
  if (isAround) {
    const insert = selected.slice(length, -length)
    return { from: start, to: end, insert, start, end: start + insert.length }
  }
  return { from: start, to: end, insert: mark + selected + mark, start: start + length, end: end + length }
}

/** Code over several lines stands between fences. */
export function toggleCode(selection: Selection): Replacement {
  const selected = selection.text.slice(selection.start, selection.end)
  if (!selected.includes('\n')) return toggleMark(selection, '`')
  const insert = `\`\`\`\n${selected}\n\`\`\``
  const start = selection.start + 4
  return { from: selection.start, to: selection.end, insert, start, end: start + selected.length }
}

const ADDRESS = /^(?:https?:\/\/|mailto:)\S+$/i

/** The selected words become a link's, with its address selected; a selected address gets words. */
export function makeLink({ text, start, end }: Selection): Replacement {
  const selected = text.slice(start, end)
  if (ADDRESS.test(selected))
    return { from: start, to: end, insert: `[](${selected})`, start: start + 1, end: start + 1 }
  const insert = `[${selected}](https://)`
  const address = start + selected.length + 3
  return { from: start, to: end, insert, start: address, end: address + 'https://'.length }
}

/** Each selected line becomes a point of a list, or a plain line again. */
export function toggleList({ text, start, end }: Selection): Replacement {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const isList = lines.every((line) => line.startsWith('- '))
  const insert = lines.map((line) => (isList ? line.slice(2) : `- ${line}`)).join('\n')
  return {
    from,
    to,
    insert,
    start: lines.length === 1 ? from + insert.length : from,
    end: from + insert.length,
  }
}

/** A pasted address becomes the target of the selected words; undefined where it is pasted as it is. */
export function linkOver({ text, start, end }: Selection, pasted: string): Replacement | undefined {
  const [selected, address] = [text.slice(start, end), pasted.trim()]
  const isLabel = selected.trim() !== '' && !/[[\]\n]/.test(selected) && !ADDRESS.test(selected)
  if (!isLabel || !ADDRESS.test(address)) return undefined
  const target = address.replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'))
  const insert = `[${selected}](${target})`
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

const POINT = /^(\s{0,12})(?:([-*+])|(\d{1,9})([.)]))( +)/

/** A new line in a list goes on with it; at a point without words the list ends. Undefined elsewhere. */
export function continueList({ text, start, end }: Selection): Replacement | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const found = start === end ? POINT.exec(text.slice(from, start)) : null
  if (!found) return undefined
  const [point, indent = '', sign, number, dot = '', gap = ' '] = found
  const next = text.indexOf('\n', start)
  const isBare = text.slice(from, next === -1 ? text.length : next) === point
  if (isBare) return { from, to: start, insert: '', start: from, end: from }
  const insert = `\n${indent}${sign ?? `${Number(number) + 1}${dot}`}${gap}`
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length }
}
