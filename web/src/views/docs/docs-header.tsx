import { Languages, Menu, Moon, Search, Sun, X } from 'lucide-react'
import { useContext } from 'react'
import { Link } from 'wouter'
import { ButtonAnchor, IconButton } from '../../kit/button.tsx'
import { Icon } from '../../kit/icon.tsx'
import { CTRL, Keys } from '../../kit/keys.tsx'
import { Menu as MenuButton } from '../../kit/menu.tsx'
import { PreferencesContext } from '../../kit/preferences.ts'
import { common } from '../../texts/common.ts'
import { docs } from '../../texts/docs.ts'
import { changeLanguage } from '../../texts/language.ts'
import { LANGUAGE_NAMES, useTexts } from '../../texts/texts.ts'
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

/** The language of the frame; guides and descriptions stay in English. */
function LanguageButton() {
  const c = useTexts(common)
  const { language } = useContext(PreferencesContext)
  return (
    <MenuButton
      label={c.language}
      align="end"
      trigger={(props) => <IconButton {...props} label={c.language} icon={Languages} />}
      entries={() => [
        {
          kind: 'choice',
          label: c.language,
          value: language,
          options: LANGUAGE_NAMES,
          onChange: changeLanguage,
        },
      ]}
    />
  )
}
