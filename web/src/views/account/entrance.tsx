import { type ReactNode, useContext, useEffect, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { PasswordHolder } from '../../../../contract/passwords/easy-passwords.ts'
import { Button } from '../../kit/button.tsx'
import { Beside, Field, Select, SelectField, TextInput } from '../../kit/field.tsx'
import { PageAlone } from '../../kit/page.tsx'
import { PreferencesContext } from '../../kit/preferences.ts'
import { VisuallyHidden } from '../../kit/visually-hidden.tsx'
import { account } from '../../texts/account.ts'
import { common } from '../../texts/common.ts'
import { changeLanguage } from '../../texts/language.ts'
import { LANGUAGE_NAMES, useTexts } from '../../texts/texts.ts'
import styles from './account.module.css'

/** Language and appearance, shown on pages without an account menu. */
function PreferenceFields() {
  const t = useTexts(common)
  const { theme, setTheme, language } = useContext(PreferencesContext)
  return (
    <div className={styles.preferences}>
      <Field label={t.language}>
        {(wiring) => (
          <Select {...wiring} value={language} onChange={(event) => changeLanguage(event.target.value)}>
            {LANGUAGE_NAMES.map(([value, name]) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <SelectField
        label={t.theme.label}
        options={[
          ['system', t.theme.system],
          ['light', t.theme.light],
          ['dark', t.theme.dark],
        ]}
        value={theme}
        onChange={setTheme}
      />
    </div>
  )
}

/** The frame of everything that comes before the console. */
export function Entrance({ roomy = false, children }: { roomy?: boolean; children: ReactNode }) {
  return (
    <PageAlone roomy={roomy}>
      <p className={styles.brand}>
        <img src="/icon.svg" alt="" />
        Parley
      </p>
      {children}
      <footer>
        <PreferenceFields />
      </footer>
    </PageAlone>
  )
}

export function PasswordField({
  label,
  hint,
  mistake,
  newFor,
  value,
  onChange,
}: {
  label: string
  hint?: string
  mistake: string | undefined
  /** The person who chooses a new password here; none where the field asks for the present one. */
  newFor?: PasswordHolder | undefined
  value: string
  onChange: (value: string) => void
}) {
  const t = useTexts(account)
  const [isShown, setShown] = useState(false)
  const isEasy = useIsEasy(value, newFor)
  return (
    <Field label={label} hint={hint} mistake={mistake ?? (isEasy ? t.passwordEasy : undefined)} required>
      {(wiring) => (
        <Beside>
          <TextInput
            {...wiring}
            type={isShown ? 'text' : 'password'}
            autoComplete={newFor ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <Button
            look="quiet"
            aria-label={isShown ? t.hidePassword : t.showPassword}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? t.hide : t.show}
          </Button>
        </Beside>
      )}
    </Field>
  )
}

/** Whether the server will refuse a new password as easy to guess. Its list of common ones comes with the first letter. */
function useIsEasy(password: string, holder: PasswordHolder | undefined): boolean {
  const [judge, setJudge] = useState<(password: string, holder: PasswordHolder) => boolean>()
  const isNeeded = holder !== undefined && password !== ''
  useEffect(() => {
    if (!isNeeded) return
    import('../../../../contract/passwords/easy-passwords.ts').then(
      ({ isEasyPassword }) => setJudge(() => isEasyPassword),
      () => {}, // the server says so itself
    )
  }, [isNeeded])
  if (!holder || !judge || isTooShort(password) || password.length > LIMITS.passwordMax) return false
  return judge(password, holder)
}

/** Hidden field by which password managers tell whose password it is. */
export function UsernameForManagers({ email }: { email: string }) {
  return (
    <VisuallyHidden>
      <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
    </VisuallyHidden>
  )
}

/** Counted as the server counts: an emoji is one. */
export const isTooShort = (password: string): boolean => Array.from(password).length < LIMITS.passwordMin

/** The fields of account forms, by their names in requests. */
export const ACCOUNT_FIELDS = { email: 'email', password: 'password', name: 'name' } as const

/** The token of a one-time link stands behind `#`, which browsers do not send. */
const tokenInAddress = (): string => window.location.hash.slice(1)

/** The token of the link that was opened, also of one that is pasted into the same tab: that loads no new page. */
export function useLinkToken(): [token: string, setToken: (token: string) => void] {
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    const changed = () => setToken(tokenInAddress())
    window.addEventListener('hashchange', changed)
    return () => window.removeEventListener('hashchange', changed)
  }, [])
  return [token, setToken]
}

/** A token that was used, or is left behind, has no business in the address bar and the history. */
export const forgetToken = (): void =>
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
