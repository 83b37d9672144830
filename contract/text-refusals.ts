/* Refusals of a plain-text body, which is processed while it arrives. */

export const TEXT_SIGNED =
  'plain text needs an access token: a signature cannot be checked before the body has ended'
export const TEXT_KEY = 'Idempotency-Key does not go with plain text: use from'
export const TEXT_CHARSET = 'plain text must be UTF-8'
/** The refusal of a query parameter that only plain text has there: JSON has it in its body. */
export const inBody = (name: string): string => `${name} belongs in the JSON body`
