import { highlight, loadLanguage } from './highlight.ts'
import type { HighlightReport, HighlightTask } from './highlighter.ts'

/*
 * Highlights code beside the page. The expressions of a language take seconds for some texts, and nothing ends them but the end of
 * this worker.
 */
addEventListener('message', ({ data }: MessageEvent<HighlightTask>) => {
  loadLanguage(data.language).then(
    (isKnown) => {
      if (!isKnown) return report({ parts: undefined })
      report({ begun: true })
      report({ parts: highlight(data.code, data.language) })
    },
    () => report({ parts: undefined }),
  )
})

const report = (message: HighlightReport): void => postMessage(message)
