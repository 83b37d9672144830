import { ALL_SCOPES, isScope, type Scope } from '../../contract/scopes.ts'
import { LIMITS } from '../../contract/limits.ts'
import { countCodePoints, EMAIL } from '../text.ts'
import { type Reader, WrongValue } from './command.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function text(maxLength: number, placeholder = 'TEXT'): Reader<string> {
  return {
    placeholder,
    read: (value) =>
      value.trim() !== '' && countCodePoints(value) <= maxLength
        ? value
        : new WrongValue(`a text of 1 to ${maxLength} characters`),
  }
}

export const email: Reader<string> = {
  placeholder: 'ADDRESS',
  read: (value) =>
    EMAIL.test(value) && countCodePoints(value) <= LIMITS.email
      ? value
      : new WrongValue('an e-mail address, such as ada@example.com'),
}

export function oneOf<const Choice extends string>(...choices: readonly Choice[]): Reader<Choice> {
  return {
    placeholder: choices.join('|'),
    read: (value) =>
      choices.find((choice) => choice === value) ??
      new WrongValue(`${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`),
  }
}

export const trueOrFalse: Reader<boolean> = {
  placeholder: 'true|false',
  read: (value) => (value === 'true' ? true : value === 'false' ? false : new WrongValue('true or false')),
}

/** An id as it is kept: in lower case. */
export const organizationId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    UUID.test(value) ? value.toLowerCase() : new WrongValue('the id of an organization, a UUID'),
}

export const memberId: Reader<string> = {
  placeholder: 'ID',
  read: (value) => (UUID.test(value) ? value.toLowerCase() : new WrongValue('the profile id of a person, a UUID')),
}

export const botId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    value.startsWith('b@') && UUID.test(value.slice(2))
      ? value.toLowerCase()
      : new WrongValue('the id of a bot: b@ and a UUID'),
}

export const scopes: Reader<Scope[]> = {
  placeholder: '"A B"',
  read(value) {
    const names = value.split(/[\s,]+/).filter((name) => name !== '')
    const known = names.filter(isScope)
    return names.length > 0 && known.length === names.length
      ? [...new Set(known)]
      : new WrongValue(`one or more of these, with spaces between: ${ALL_SCOPES.join(' ')}`)
  },
}

/** Requests a minute; `default` is the server's setting. */
export const rateLimit: Reader<number | null> = {
  placeholder: 'N|default',
  read(value) {
    if (value === 'default') return null
    return /^\d{1,9}$/.test(value)
      ? Number(value)
      : new WrongValue('requests a minute from 0 (no limit) to 999999999, or default')
  },
}
