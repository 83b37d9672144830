import type { IncomingMessage, ServerResponse } from 'node:http'

/** The path at which the receiver answers as a program that checks texts does. */
export const CHECK = '/check'

/** Holds what is odd for a review, and lets everything else pass. */
export async function checkTexts(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const asked = Object(JSON.parse(Buffer.concat(chunks).toString())).data.texts
  const verdicts = asked.map(({ id, text }: { id: string; text: string }) => ({
    id,
    verdict: text === 'odd' ? 'hold' : 'allow',
  }))
  response.end(JSON.stringify({ verdicts }))
}
