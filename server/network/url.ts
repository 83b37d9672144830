const MAX_URL_LENGTH = 2048

/** What is wrong with how the address of a webhook is written, in words for who typed it; undefined when nothing is. */
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
