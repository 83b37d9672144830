import { ParleyAdapter, type ParleyAdapterOptions } from './adapter.ts'

export { ParleyAdapter, type ParleyAdapterOptions } from './adapter.ts'
export type { ParleyMessage } from './messages.ts'
export type { ParleyThreadId } from './threads.ts'

/** `PARLEY_URL` and the credentials of the bot come from the environment unless given. */
export const createParleyAdapter = (options: ParleyAdapterOptions = {}): ParleyAdapter =>
  new ParleyAdapter(options)
