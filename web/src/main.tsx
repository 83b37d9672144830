import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionState } from './api/session-state.ts'
import { App, chatLoaded } from './app.tsx'
import '@fontsource-variable/inter/wght.css'
import './kit/tokens.css'
import './kit/base.css'

/** What is waited for shows nothing for so long; drawing that nothing, and laying it out, would only take time. */
const EMPTY_MS = 300

const root = document.getElementById('app')
if (root) {
  const isPatient = new Promise((resolve) => window.setTimeout(resolve, EMPTY_MS))
  void Promise.race([Promise.all([sessionState.read(), chatLoaded]), isPatient]).then(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
