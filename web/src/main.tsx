import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'

const RELOADED = 'parley.reloaded'
const AGAIN_MS = 60_000

// A part of the pages that is gone: the server has newer ones. Once a minute at most, in case that does not help.
window.addEventListener('vite:preloadError', () => {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < AGAIN_MS) return
  sessionStorage.setItem(RELOADED, String(Date.now()))
  window.location.reload()
})

const root = document.getElementById('app')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
