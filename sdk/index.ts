export type { ErrorCode, EventData, Operations } from './api.ts'
export {
  type ActionEvent,
  type Bot,
  type BotOptions,
  type CommandEvent,
  createBot,
  type Event,
  type MessageEvent,
  type Reply,
} from './bot.ts'
export { type Client, type ClientOptions, type Credentials, connect, ParleyError } from './client.ts'
export type { FileInput } from './files.ts'
export { filePositions, type Positions, storedPositions } from './positions.ts'
export { type MessageStream, openStream } from './streaming.ts'
export { fetchHandler, nodeHandler, readWebhook, type WebhookEvent, type WebhookOptions } from './webhook.ts'
