import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** A Chromium of this machine; undefined where there is none, and whatever needs one is skipped. */
export const BROWSER = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
/**
 * The headless Chromium, if installed: it has no windows, microphones and notifications, and takes a third less CPU.
 */
export const SMALL_BROWSER = [process.env.CHROMIUM, '/usr/bin/chromium-headless-shell'].find(
  (path) => path !== undefined && existsSync(path),
)

export const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
