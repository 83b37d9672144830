import { BOT_REFUSALS } from './bots.ts'
import { CONVERSATION_REFUSALS } from './conversations.ts'
import type { Declared } from './declared.ts'
import { PEOPLE_REFUSALS } from './people.ts'
import { REQUEST_REFUSALS } from './request.ts'

/** Every refusal by its code, as `X-Error-Code` carries it. Codes are promised: they may be added, never renamed. */
export const REFUSALS = {
  ...REQUEST_REFUSALS,
  ...CONVERSATION_REFUSALS,
  ...BOT_REFUSALS,
  ...PEOPLE_REFUSALS,
} as const

export type RefusalCode = keyof typeof REFUSALS

/** A code, or one with what fills its text: `field_invalid.labelId`. */
export type RefusalKey = RefusalCode | `${RefusalCode}.${string}`

/** Names of the placeholders in a text: `field` of `{field} is required`. */
type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never

/** Values that the text of a refusal needs. */
export type ValuesOf<Code extends RefusalCode> = Record<
  Placeholders<(typeof REFUSALS)[Code][1]>,
  string | number
>

const CODES = Object.keys(REFUSALS).filter((name): name is RefusalCode => name in REFUSALS)
export const REFUSAL_CODES: readonly RefusalCode[] = CODES

/** The code of a key, and what fills its text. */
export function partsOfKey(key: RefusalKey): { code: RefusalCode; value?: string } {
  const [name = '', ...rest] = key.split('.')
  const code = CODES.find((one) => one === name)
  if (!code) throw new Error(`no refusal has the code ${name}`)
  return rest.length === 0 ? { code } : { code, value: rest.join('.') }
}

/** The text of a key; without a value its placeholders stay. */
export function textOfKey(key: RefusalKey): string {
  const { code, value } = partsOfKey(key)
  return REFUSALS[code][1].replace(/\{\w+\}/g, (whole) => value ?? whole)
}

export const statusOf = (code: RefusalCode): Declared[0] => REFUSALS[code][0]

/** The text of a refusal, with its placeholders filled. */
export const textOf = <Code extends RefusalCode>(
  code: Code,
  ...[values]: [keyof ValuesOf<Code>] extends [never] ? [] : [ValuesOf<Code>]
): string => fillText(code, values)

export const fillText = (code: RefusalCode, values?: Record<string, string | number>): string =>
  values === undefined
    ? REFUSALS[code][1]
    : REFUSALS[code][1].replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name]))

/** The field that a refusal is about: the same for each of this code, or the one that its text names. */
export function fieldOf(code: RefusalCode, values: Record<string, string | number> = {}): string | undefined {
  const declared: Declared = REFUSALS[code]
  return declared[2] ?? (values.field === undefined ? undefined : String(values.field))
}
