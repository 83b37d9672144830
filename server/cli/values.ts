import { LIMITS } from '../../contract/limits.ts'
import { isBotId } from '../../contract/profile-ids.ts'
import { ALL_SCOPES, isScope, type Scope } from '../../contract/scopes.ts'
import { countCodePoints, EMAIL, isName } from '../text.ts'
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

/** A name, by the same rule as in requests. */
export function name(maxLength: number): Reader<string> {
  const { placeholder, read } = text(maxLength)
  return {
    placeholder,
    read: (value) =>
      isName(value) ? read(value) : new WrongValue('one line of text without control characters'),
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

export const signatureVersion: Reader<1 | 2> = {
  placeholder: '1|2',
  read: (value) => (value === '1' ? 1 : value === '2' ? 2 : new WrongValue('1 or 2')),
}

export const trueOrFalse: Reader<boolean> = {
  placeholder: 'true|false',
  read: (value) => (value === 'true' ? true : value === 'false' ? false : new WrongValue('true or false')),
}

/** An id, stored in lower case. */
export const organizationId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    UUID.test(value) ? value.toLowerCase() : new WrongValue('the id of an organization, a UUID'),
}

export const memberId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    UUID.test(value) ? value.toLowerCase() : new WrongValue('the profile id of a person, a UUID'),
}

export const botId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    isBotId(value) && UUID.test(value.slice(2))
      ? value.toLowerCase()
      : new WrongValue('the id of a bot: b@ and a UUID'),
}

export const addressId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    value.startsWith('w@') && UUID.test(value.slice(2))
      ? value.toLowerCase()
      : new WrongValue('the id of a further address: w@ and a UUID'),
}

const PROFILE_ID = /^(b@)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const profileId: Reader<string> = {
  placeholder: 'ID',
  read: (value) =>
    PROFILE_ID.test(value)
      ? value.toLowerCase()
      : new WrongValue('a profile id: a UUID, with b@ in front for a bot'),
}

export const profileIds: Reader<string[]> = {
  placeholder: 'A,B',
  read(value) {
    const ids = value.split(',').map((id) => id.trim().toLowerCase())
    return ids.every((id) => PROFILE_ID.test(id))
      ? ids
      : new WrongValue('profile ids with commas between them')
  },
}

const uuidOf = (what: string): Reader<string> => ({
  placeholder: 'ID',
  read: (value) => (UUID.test(value) ? value.toLowerCase() : new WrongValue(`the id of a ${what}, a UUID`)),
})

export const deliveryId = uuidOf('delivery')
export const topicId = uuidOf('topic')
export const pollId = uuidOf('poll')

const DEGREES = /^[+-]?\d{1,3}(\.\d{1,15})?$/

/** Coordinates stay texts, as in messages, so that nothing is lost to rounding. */
export const location: Reader<{ latitude: string; longitude: string }> = {
  placeholder: 'LAT,LONG',
  read(value) {
    const [latitude = '', longitude = '', ...more] = value.split(',').map((part) => part.trim())
    const isPlace = DEGREES.test(latitude) && DEGREES.test(longitude) && more.length === 0
    return isPlace && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
      ? { latitude, longitude }
      : new WrongValue('latitude and longitude in degrees, such as 52.52,13.405')
  },
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

/** A whole number, 0 for no limit; `default` is the server's setting. */
const limitOf = (unit: string): Reader<number | null> => ({
  placeholder: 'N|default',
  read(value) {
    if (value === 'default') return null
    return /^\d{1,9}$/.test(value)
      ? Number(value)
      : new WrongValue(`${unit} from 0 (no limit) to 999999999, or default`)
  },
})

export const rateLimit = limitOf('requests a minute')
export const storageQuotaMb = limitOf('MiB')

/** Days, with fractions; `default` is the server's setting. */
export const days: Reader<number | null> = {
  placeholder: 'N|default',
  read(value) {
    if (value === 'default') return null
    return /^\d{1,5}(\.\d{1,4})?$/.test(value) && Number(value) > 0 && Number(value) <= 36_500
      ? Number(value)
      : new WrongValue('days above 0 and up to 36500, such as 30 or 0.5, or default')
  },
}

export const signInDays: Reader<number | null> = {
  placeholder: 'N|none',
  read(value) {
    if (value === 'none') return null
    return /^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= LIMITS.signInDays
      ? Number(value)
      : new WrongValue(`days from 1 to ${LIMITS.signInDays}, or none`)
  },
}

const URL_LENGTH = 2048

export const webhookUrl: Reader<string> = {
  placeholder: 'URL',
  read(value) {
    const url = URL.canParse(value) ? new URL(value) : undefined
    const isRight = url && /^https?:$/.test(url.protocol) && url.hash === '' && value.length <= URL_LENGTH
    return isRight ? value : new WrongValue('an http or https address, such as https://example.com/events')
  },
}

export const budget: Reader<number | null> = {
  placeholder: 'N|none',
  read(value) {
    if (value === 'none') return null
    return /^\d{1,12}$/.test(value) && Number(value) > 0
      ? Number(value)
      : new WrongValue('a whole number above 0 with up to 12 digits, or none')
  },
}

export const count = (most: number): Reader<number> => ({
  placeholder: 'N',
  read: (value) =>
    /^\d{1,6}$/.test(value) && Number(value) >= 1 && Number(value) <= most
      ? Number(value)
      : new WrongValue(`a whole number from 1 to ${most}`),
})

/** A time as a person writes it. */
export const time: Reader<number> = {
  placeholder: 'TIME',
  read: (value) =>
    Number.isNaN(Date.parse(value))
      ? new WrongValue('a moment such as 2026-01-31T09:00:00Z')
      : Date.parse(value),
}
