import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionState } from './api/session-state.ts'
import { App } from './app.tsx'
import '@fontsource-variable/inter/wght.css'
import './kit/tokens.css'
import './styles/pages.css'

void sessionState.read()
const root = document.getElementById('app')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
