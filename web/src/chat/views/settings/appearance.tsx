import { useContext } from 'react'
import { Choices } from '../../../kit/choice.tsx'
import { PreferencesContext } from '../../../kit/preferences.ts'
import { common } from '../../../texts/common.ts'
import { ownSettings } from '../../../texts/own-settings.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './settings.module.css'

/** Colours and density, which count at once, in this browser. */
export function Appearance() {
  const t = useTexts(ownSettings)
  const c = useTexts(common)
  const { theme, setTheme, density, setDensity } = useContext(PreferencesContext)
  return (
    <div className={styles.form}>
      <Choices
        label={c.theme.label}
        value={theme}
        options={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: c.theme[value] }))}
        onChange={setTheme}
      />
      <Choices
        label={t.density}
        value={density}
        options={(['comfortable', 'compact'] as const).map((value) => ({ value, label: t[value] }))}
        onChange={setDensity}
      />
    </div>
  )
}
