const MAX_URL_LENGTH = 2048

/** The mistake in the form of a webhook address, in words for the person who typed it; undefined if there is none. */
export function checkUrlForm({ baseUrl }: { baseUrl: string }, text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    return 'the webhook address must be an http or https address, such as https://example.com/events'
  }
  if (baseUrl.startsWith('https:') && url.protocol !== 'https:') {
    return `the webhook address must begin with https://, because BASE_URL (${baseUrl}) does`
  }
  if (url.username !== '' || url.password !== '') {
    return 'the webhook address must not hold a user name or password; check the signature of the requests instead'
  }
  if (text.length > MAX_URL_LENGTH) {
    return `the webhook address must not have more than ${MAX_URL_LENGTH} characters`
  }
  return undefined
}
