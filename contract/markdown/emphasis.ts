import { MAX_DEPTH, TooCostly } from './budget.ts'
import type { Inline } from './tree.ts'

/** A run of `*`, `_` or `~`, which may open or close emphasis. */
export type Run = { mark: string; length: number; canOpen: boolean; canClose: boolean }
/** A part of a line: a node, or a run that is not yet known to mean anything. */
export type Part = Inline | Run

type Frame = { run: Run; written: number; nodes: Inline[]; height: number }

const isRun = (part: Part): part is Run => 'mark' in part

/** Adds a node; texts beside each other become one. */
export function append(nodes: Inline[], node: Inline): void {
  const last = nodes.at(-1)
  if (node.kind !== 'text' || last?.kind !== 'text') nodes.push(node)
  else nodes[nodes.length - 1] = { kind: 'text', text: last.text + node.text }
}

/**
 * Pairs runs as CommonMark does. Looks at each part a bounded number of times: an opener that was looked past is text from then on, and
 * how far down a search was in vain is kept for the next one of its kind.
 */
export function emphasized(parts: readonly Part[]): Inline[] {
  const root: Frame = {
    run: { mark: '', length: 0, canOpen: false, canClose: false },
    written: 0,
    nodes: [],
    height: 0,
  }
  const frames = [root]
  /** Below this many frames there is no opener, for each kind of closing run. */
  const inVain = new Map<string, number>()
  const top = () => frames.at(-1) ?? root

  for (const part of parts) {
    if (!isRun(part)) {
      append(top().nodes, part)
      continue
    }
    const run = { ...part }
    while (run.canClose && run.length > 0) {
      const kind = `${run.mark}${part.length % 3}${part.canOpen}${run.mark === '~' ? part.length : ''}`
      const index = openerOf(frames, run, part.length, inVain.get(kind) ?? 1)
      if (index === undefined) {
        inVain.set(kind, frames.length)
        break
      }
      wrap(frames, foldDown(frames, index), run)
      // Searches in vain spoke of frames that are gone now.
      for (const [other, height] of inVain) if (height > frames.length) inVain.set(other, frames.length)
    }
    if (run.length === 0) continue
    if (run.canOpen) frames.push({ run, written: part.length, nodes: [], height: 0 })
    else append(top().nodes, { kind: 'text', text: run.mark.repeat(run.length) })
  }
  return foldDown(frames, 0).nodes
}

function openerOf(frames: readonly Frame[], run: Run, written: number, bottom: number): number | undefined {
  for (let index = frames.length - 1; index >= bottom; index--) {
    const opener = frames[index]
    if (opener?.run.mark !== run.mark) continue
    if (run.mark === '~') {
      if (opener.run.length === run.length) return index
      continue
    }
    // One that could both open and close pairs only where lengths cannot be read in two ways.
    const isAmbiguous = opener.run.canClose || run.canOpen
    const isRefused =
      isAmbiguous && (opener.written + written) % 3 === 0 && !(opener.written % 3 === 0 && written % 3 === 0)
    if (!isRefused) return index
  }
  return undefined
}

/** Makes everything above a frame a part of it, with the runs that opened nothing as text. */
function foldDown(frames: Frame[], index: number): Frame {
  const [frame, ...above] = frames.splice(index)
  if (!frame) throw new Error('a frame that was found is there')
  for (const { run, nodes, height } of above) {
    append(frame.nodes, { kind: 'text', text: run.mark.repeat(run.length) })
    for (const node of nodes) append(frame.nodes, node)
    frame.height = Math.max(frame.height, height)
  }
  frames.push(frame)
  return frame
}

/** Takes one or two marks from both sides of the topmost frame, and makes its content emphasis. */
function wrap(frames: Frame[], opener: Frame, closer: Run): void {
  const marks = closer.mark === '~' ? closer.length : opener.run.length >= 2 && closer.length >= 2 ? 2 : 1
  const kind = closer.mark === '~' ? 'strike' : marks === 2 ? 'strong' : 'emphasis'
  const node: Inline = { kind, children: opener.nodes }
  const height = opener.height + 1
  if (height > MAX_DEPTH) throw new TooCostly()
  opener.run = { ...opener.run, length: opener.run.length - marks }
  closer.length -= marks
  if (opener.run.length > 0) {
    opener.nodes = [node]
    opener.height = height
    return
  }
  frames.pop()
  const below = frames.at(-1)
  if (!below) throw new Error('the lowest frame opens nothing')
  append(below.nodes, node)
  below.height = Math.max(below.height, height)
}
