import { type Received, type Receiver, type Reply, startReceiver } from './receiver.ts'

type Text = { id: string; kind: string; topicId: string; senderId: string; senderType: string; text: string }

/** A program of a company that is asked about texts, and decides by their words. */
export type TextChecker = Receiver & {
  /** The texts that it was asked about, request by request. */
  asked(): Text[][]
  /** All texts since the last call. */
  news(): string[]
}

export const textsOf = ({ event }: Received): Text[] => Object(event.data).texts

/** `secret` is refused, `card` masked, `odd` held for a review; everything else is allowed. */
export function verdictOn({ id, text }: Text) {
  if (/secret/i.test(text)) return { id, verdict: 'refuse', reason: 'it names a secret' }
  if (/odd/i.test(text)) return { id, verdict: 'hold', reason: 'it is odd' }
  if (/card/i.test(text)) return { id, verdict: 'mask', text: text.replace(/card \d+/gi, '(hidden)') }
  return { id, verdict: 'allow' }
}

export const answerFor = (received: Received): Reply => ({
  status: 200,
  body: JSON.stringify({ verdicts: textsOf(received).map(verdictOn) }),
})

export async function startTextChecker(): Promise<TextChecker> {
  const receiver = await startReceiver()
  receiver.otherwise = answerFor
  let told = 0
  return Object.assign(receiver, {
    asked: () => receiver.received.map(textsOf),
    news() {
      const texts = receiver.received
        .slice(told)
        .flatMap(textsOf)
        .map(({ text }) => text)
      told = receiver.received.length
      return texts
    },
  })
}
