import type { CodePart } from './code-parts.ts'

export type HighlightTask = { code: string; language: string }
/** The language is loaded and the work begins, or it is done; without parts the code has no colours. */
export type HighlightReport = { begun: true } | { parts: CodePart[] | undefined }

/** Code that takes longer has no colours. A file of 64 KB takes some 50 ms. */
const LIMIT_MS = 500

let worker: Worker | undefined
let last: Promise<unknown> = Promise.resolve()

/** The code in parts with colours, worked out in a worker, one after the other; undefined where it has none. */
export function colourParts(code: string, language: string): Promise<CodePart[] | undefined> {
  const parts = last.then(() => ask({ code, language }).catch(() => undefined)) // code stays as it is
  last = parts
  return parts
}

function ask(task: HighlightTask): Promise<CodePart[] | undefined> {
  const asked = worker ?? new Worker(new URL('./highlight-worker.ts', import.meta.url), { type: 'module' })
  worker = asked
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const finish = (parts?: CodePart[]) => {
      clearTimeout(timer)
      resolve(parts)
    }
    const giveUp = () => {
      asked.terminate()
      worker = undefined
      finish()
    }
    asked.onmessage = ({ data }: MessageEvent<HighlightReport>) => {
      if ('parts' in data) finish(data.parts)
      else timer = setTimeout(giveUp, LIMIT_MS)
    }
    asked.onerror = giveUp
    asked.postMessage(task)
  })
}
