import { LIMITS } from '../../contract/limits.ts'
import { isEasyPassword, type PasswordHolder } from '../../contract/passwords/easy-passwords.ts'
import { refusal } from '../errors.ts'
import { countCodePoints } from '../text.ts'

/** Refuses a password that is too short, or easily guessed for this person. */
export function checkPassword(password: string, holder: PasswordHolder): void {
  const length = countCodePoints(password.normalize('NFKC'))
  if (length < LIMITS.passwordMin) throw refusal('password_too_short')
  if (length > LIMITS.passwordMax) throw refusal('field_too_long', { field: 'password' })
  if (isEasyPassword(password, holder)) throw refusal('password_easy')
}
