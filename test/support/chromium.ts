import { existsSync } from 'node:fs'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
/** A Chromium of this machine; undefined where there is none, and whatever needs one is skipped. */
export const BROWSER = process.env.CHROMIUM ?? PLACES.find((path) => existsSync(path))
/** The same Chromium without windows, microphones and notifications, where it is there: it takes a third less of the processor. */
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
