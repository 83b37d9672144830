import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionState } from './api/session-state.ts'
import { App, loadEarly } from './app.tsx'
import '@fontsource-variable/inter/wght.css'
import './kit/tokens.css'
import './kit/base.css'

/** The page stays empty for so long while it waits; drawing and laying out nothing would only take time. */
const EMPTY_MS = 300

// Loads the font early. The browser would load it at the first text, and lay out everything twice.
document.fonts.load('1em "Inter Variable"').catch(() => {})

const root = document.getElementById('app')
if (root) {
  const isPatient = new Promise((resolve) => window.setTimeout(resolve, EMPTY_MS))
  const isAsked = sessionState.read()
  // With who was here last, nothing has to be asked before it is shown.
  const isKnown = sessionState.get().data ? undefined : isAsked
  void Promise.race([loadEarly(isKnown), isPatient]).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
