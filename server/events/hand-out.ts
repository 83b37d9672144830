/** The payload of an event as a reader gets it, from the text that was stored: the same for polling and webhooks. */
export function handOut(data: string): string {
  return data
}
