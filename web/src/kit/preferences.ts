import { createContext, useInsertionEffect, useState } from 'react'
import type { Language } from '../texts/texts.ts'

export type Theme = 'system' | 'light' | 'dark'
const STORED = 'parley.theme'

const storedTheme = (): Theme => {
  const stored = localStorage.getItem(STORED)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/** Light or dark, as chosen here or as the system is. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(storedTheme)
  // Runs before layout: a change makes the browser style every element again.
  useInsertionEffect(() => {
    const system = window.matchMedia('(prefers-color-scheme: dark)')
    const apply = () => {
      document.documentElement.dataset.theme =
        theme === 'system' ? (system.matches ? 'dark' : 'light') : theme
    }
    apply()
    system.addEventListener('change', apply)
    return () => system.removeEventListener('change', apply)
  }, [theme])
  return [
    theme,
    (chosen) => {
      localStorage.setItem(STORED, chosen)
      setTheme(chosen)
    },
  ]
}

export type Density = 'comfortable' | 'compact'
const STORED_DENSITY = 'parley.density'

/** How tight rows and faces stand; the text stays as it is. */
export function useDensity(): [Density, (density: Density) => void] {
  const [density, setDensity] = useState<Density>(() =>
    localStorage.getItem(STORED_DENSITY) === 'compact' ? 'compact' : 'comfortable',
  )
  useInsertionEffect(() => {
    document.documentElement.dataset.density = density
  }, [density])
  return [
    density,
    (chosen) => {
      localStorage.setItem(STORED_DENSITY, chosen)
      setDensity(chosen)
    },
  ]
}

export type Preferences = {
  theme: Theme
  setTheme: (theme: Theme) => void
  density: Density
  setDensity: (density: Density) => void
  language: Language
}

export const PreferencesContext = createContext<Preferences>({
  theme: 'system',
  setTheme: () => {},
  density: 'comfortable',
  setDensity: () => {},
  language: 'en',
})
