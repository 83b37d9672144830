import { Menu, Moon, Search, Sun, X } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'wouter'
import { Button, ButtonAnchor, IconButton } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { CTRL, Keys } from '../../kit/keys.tsx'
import { PreferencesContext } from '../../kit/preferences.ts'
import { docs } from '../../texts/docs.ts'
import { changeLanguage, pageLanguage } from '../../texts/language.ts'
import { LANGUAGES, type Language, useTexts } from '../../texts/texts.ts'
import { AREAS, useArea } from './areas.ts'
import styles from './docs-header.module.css'

export function DocsHeader({
  isMenuOpen,
  onMenu,
  onSearch,
}: {
  isMenuOpen: boolean
  onMenu: () => void
  onSearch: () => void
}) {
  const t = useTexts(docs)
  const area = useArea()
  return (
    <header className={styles.header}>
      <span className={styles.narrow}>
        <IconButton
          label={isMenuOpen ? t.closeMenu : t.menu}
          icon={isMenuOpen ? X : Menu}
          aria-expanded={isMenuOpen}
          onClick={onMenu}
        />
      </span>
      <Link to="/docs" className={styles.brand}>
        <img src="/icon.svg" alt="" />
        <span>Parley</span> <span className={styles.docs}>{t.title}</span>
      </Link>
      <nav className={styles.areas} aria-label={t.areas.label}>
        {AREAS.map(({ name, path }) => (
          <Link key={name} to={path} aria-current={name === area ? 'true' : undefined}>
            {t.areas[name]}
          </Link>
        ))}
      </nav>
      <button type="button" className={styles.find} onClick={onSearch}>
        <Icon icon={Search} size={18} />
        <span className={styles.findWords}>{t.search}</span>
        <Keys keys={`${CTRL} K`} />
      </button>
      <div className={styles.choices}>
        <LanguageButton />
        <ThemeButton />
        <span className={styles.wide}>
          <ButtonAnchor href="/">{t.open}</ButtonAnchor>
        </span>
      </div>
    </header>
  )
}

function ThemeButton() {
  const t = useTexts(docs)
  const { theme, setTheme } = useContext(PreferencesContext)
  const isDark =
    theme === 'dark' || (theme === 'system' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  return (
    <IconButton
      label={isDark ? t.toLight : t.toDark}
      icon={isDark ? Sun : Moon}
      onClick={() => setTheme(isDark ? 'light' : 'dark')}
    />
  )
}

/** The frame in the other language; guides and descriptions stay in English. */
function LanguageButton() {
  const other: Language = pageLanguage() === 'de' ? 'en' : 'de'
  return (
    <Button look="quiet" size="small" lang={other} onClick={() => changeLanguage(other)}>
      {LANGUAGES[other]}
    </Button>
  )
}
