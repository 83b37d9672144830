import type { RefusalCode } from './index.ts'

/** Codes of input that does not fit its schema, by the keyword of JSON Schema that it fails. All others are `field_invalid`. */
const BY_KEYWORD: Record<string, RefusalCode> = {
  required: 'field_required',
  not: 'field_required',
  maxLength: 'field_too_long',
  minimum: 'field_out_of_range',
  maximum: 'field_out_of_range',
  minItems: 'field_out_of_range',
  maxItems: 'field_out_of_range',
}

type Schema = {
  type?: unknown
  minLength?: unknown
  maximum?: unknown
  'x-codes'?: Record<string, RefusalCode>
}

export function inputCode(keyword: string, schema: Schema): RefusalCode {
  const own = schema['x-codes']?.[keyword]
  if (own) return own
  if (keyword === 'minLength') return schema.minLength === 1 ? 'field_required' : 'field_too_short'
  // Query values come as text: `limit=many` is refused with the range, as `limit=0` is.
  if (keyword === 'type' && schema.type === 'integer' && schema.maximum !== undefined)
    return 'field_out_of_range'
  return BY_KEYWORD[keyword] ?? 'field_invalid'
}
