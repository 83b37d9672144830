import { type Refusal, refusal } from '../errors.ts'

const MAX_URL_LENGTH = 2048

/** The mistake in the form of a webhook address, as the refusal of it; undefined if there is none. */
export function checkUrlForm({ baseUrl }: { baseUrl: string }, text: string): Refusal | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return refusal('webhook_url_invalid')
  }
  if (baseUrl.startsWith('https:') && url.protocol !== 'https:') {
    return refusal('webhook_url_not_https', { baseUrl })
  }
  if (url.username !== '' || url.password !== '') {
    return refusal('webhook_url_has_credentials')
  }
  if (text.length > MAX_URL_LENGTH) {
    return refusal('webhook_url_too_long', { maximum: MAX_URL_LENGTH })
  }
  return undefined
}
