import { useContext } from 'react'
import { Choices } from '../../../kit/choice.tsx'
import { PreferencesContext } from '../../../kit/preferences.ts'
import { changeLanguage } from '../../../texts/language.ts'
import { ownSettings } from '../../../texts/own-settings.ts'
import { LANGUAGE_NAMES, useTexts } from '../../../texts/texts.ts'
import styles from './settings.module.css'

/** The language of the pages, which are loaded again in it. */
export function LanguageChoice() {
  const t = useTexts(ownSettings)
  const { language } = useContext(PreferencesContext)
  return (
    <div className={styles.form}>
      <Choices
        label={t.sections.language}
        value={language}
        options={LANGUAGE_NAMES.map(([value, label]) => ({ value, label }))}
        onChange={changeLanguage}
      />
    </div>
  )
}
