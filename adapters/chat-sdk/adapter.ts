import type {
  Adapter,
  AdapterPostableMessage,
  Attachment,
  ChannelInfo,
  ChatInstance,
  EmojiValue,
  EphemeralMessage,
  FetchOptions,
  FetchResult,
  FormattedContent,
  ListThreadsOptions,
  ListThreadsResult,
  Message,
  PostEphemeralOptions,
  RawMessage,
  ScheduledMessage,
  StreamChunk,
  ThreadInfo,
  UserInfo,
  WebhookOptions,
} from 'chat'
import { convertEmojiPlaceholders, NotImplementedError } from 'chat'
import {
  type Bot,
  type BotOptions,
  type Client,
  connect,
  createBot,
  type Operations,
  openStream,
} from '../../sdk/index.ts'
import { type Content, contentOf, digestOf, markdownOf } from './content.ts'
import { toParleyEmoji } from './emoji.ts'
import { HEARD, keyFor, type ParleyEvent, receive, turns } from './events.ts'
import { orUndefined, readIfThere, readPage } from './history.ts'
import { messageOf, type ParleyMessage, withData } from './messages.ts'
import { stepsOf } from './progress.ts'
import {
  ADAPTER_NAME,
  channelOf,
  decodeThread,
  encodeThread,
  type ParleyThreadId,
  placeIn,
  threadOf,
} from './threads.ts'

/** A delivery that another process has begun is left to it for this long. */
const LEASE_MS = 120_000
/** The server does not deliver an event again after this time. */
const HANDLED_MS = 7 * 24 * 60 * 60 * 1000
/** Topics whose kind is known. It never changes. */
const MAX_TOPICS = 10_000

type Command = Operations['setCommands']['input']['body']['commands'][number]

export type ParleyAdapterOptions = Omit<BotOptions, 'onError' | 'ownEvents'> & {
  /** `polling` reads events from `initialize` on, `webhook` gets them by `handleWebhook`. Default: `polling`. */
  mode?: 'polling' | 'webhook' | undefined
  /** The commands of the bot, which `initialize` sets. Left out: those that it has. */
  commands?: Command[] | undefined
  /** The name of the bot. Default: as the server knows it. */
  userName?: string | undefined
}

type Started = {
  bot: Bot
  chat: ChatInstance
  commands: ReadonlySet<string>
  polling: Promise<void> | undefined
}

/** Parley for the Chat SDK. */
export class ParleyAdapter implements Adapter<ParleyThreadId, ParleyMessage> {
  readonly name: string = ADAPTER_NAME
  userName: string
  botUserId?: string
  /** Every operation of Parley, for what the Chat SDK has no method for. */
  readonly parley: Client
  readonly #options: ParleyAdapterOptions
  #started: Started | undefined
  readonly #kinds = new Map<string, boolean>()
  readonly #handling = new Set<Promise<void>>()

  constructor(options: ParleyAdapterOptions = {}) {
    this.#options = options
    this.parley = connect(options)
    this.userName = options.userName ?? ADAPTER_NAME
  }

  async initialize(chat: ChatInstance): Promise<void> {
    const { mode = 'polling', commands: wanted, userName, ...botOptions } = this.#options
    const { id, name } = await this.parley.readMe()
    this.botUserId = id
    this.userName = userName ?? name
    const { commands } = wanted
      ? await this.parley.setCommands({ body: { commands: wanted } })
      : await this.parley.listCommands()

    const logger = chat.getLogger(ADAPTER_NAME)
    const bot = createBot({
      ...botOptions,
      onError: (error, event) =>
        logger.error(event ? `Event ${event.id} failed` : 'Polling failed', { error }),
    })
    const handle = mode === 'polling' ? this.#receive : this.#receiveOnce
    for (const type of HEARD) bot.on(type, (event: ParleyEvent) => handle(event))
    this.#started = {
      bot,
      chat,
      commands: new Set(commands.map((command) => command.name)),
      polling: undefined,
    }
    if (mode === 'webhook' && !botOptions.queue) return
    this.#started.polling = bot
      .start()
      .catch((error: unknown) => logger.error('The bot hears of nothing any more', { error }))
  }

  /** Ends when what is being handled is done. */
  async disconnect(): Promise<void> {
    const started = this.#started
    this.#started = undefined
    started?.bot.stop()
    await started?.polling
    await Promise.allSettled(this.#handling)
  }

  /**
   * Answers when the event is handled: 204, or 500 where a handler failed. After 8 seconds it is 503, and the server comes
   * again. With a `queue` it is 204 at once.
   */
  async handleWebhook(request: Request, options?: WebhookOptions): Promise<Response> {
    const { bot } = this.#running()
    const answer = bot.fetchHandler(request)
    options?.waitUntil?.(answer.then(() => Promise.allSettled(this.#handling)))
    return answer
  }

  #running(): Started {
    if (!this.#started) throw new Error('The adapter is not initialized')
    return this.#started
  }

  readonly #receive = async (event: ParleyEvent): Promise<void> => {
    const { chat, commands } = this.#running()
    const { parley } = this
    const isDirectMessage = (topicId: string) => this.#isDirectMessage(topicId)
    const receiver = { adapter: this, chat, parley, own: this.#own(), commands, isDirectMessage }
    const handling = receive(receiver, event, {})
    this.#handling.add(handling)
    await handling.finally(() => this.#handling.delete(handling))
  }

  /** Handles a delivery that may come to several processes, by the state that they share. */
  readonly #receiveOnce = async (event: ParleyEvent): Promise<void> => {
    const state = this.#running().chat.getState()
    const key = `${ADAPTER_NAME}:event:${event.id}`
    if (!(await state.setIfNotExists(key, 'begun', LEASE_MS))) {
      if ((await state.get(key)) === 'handled') return
      throw new Error('Another process is handling this event')
    }
    try {
      await this.#receive(event)
    } catch (error) {
      await state.delete(key)
      throw error
    }
    await state.set(key, 'handled', HANDLED_MS)
  }

  #own(): { id: string; name: string } {
    return { id: this.botUserId ?? '', name: this.userName }
  }

  async #isDirectMessage(topicId: string): Promise<boolean> {
    const known = this.#kinds.get(topicId)
    if (known !== undefined) return known
    const topic = await orUndefined(this.parley.readTopic({ params: { topicId } }))
    if (!topic) return false
    const [oldest] = this.#kinds.keys()
    if (this.#kinds.size >= MAX_TOPICS && oldest !== undefined) this.#kinds.delete(oldest)
    this.#kinds.set(topicId, topic.type === 'dm')
    return topic.type === 'dm'
  }

  encodeThreadId(thread: ParleyThreadId): string {
    return encodeThread(thread)
  }

  decodeThreadId(threadId: string): ParleyThreadId {
    return decodeThread(threadId)
  }

  channelIdFromThreadId(threadId: string): string {
    return channelOf(threadId)
  }

  isDM(threadId: string): boolean {
    return decodeThread(threadId).isDirectMessage
  }

  parseMessage(raw: ParleyMessage): Message<ParleyMessage> {
    return messageOf(this.parley, raw, this.#own(), this.#kinds.get(raw.topicId) ?? false)
  }

  renderFormatted(content: FormattedContent): string {
    return markdownOf(content)
  }

  rehydrateAttachment(attachment: Attachment): Attachment {
    return withData(this.parley, attachment)
  }

  async postMessage(threadId: string, message: AdapterPostableMessage): Promise<RawMessage<ParleyMessage>> {
    const raw = await this.#send(placeIn(threadId), await contentOf(message))
    return { id: raw.id, threadId: this.#threadAfter(threadId, raw.id), raw }
  }

  postChannelMessage(channelId: string, message: AdapterPostableMessage): Promise<RawMessage<ParleyMessage>> {
    return this.postMessage(channelId, message)
  }

  /** A message to a topic as a whole begins a thread. */
  #threadAfter(threadId: string, id: string): string {
    const { isDirectMessage } = decodeThread(threadId)
    return threadOf({ id, ...placeIn(threadId) }, isDirectMessage)
  }

  /** Files go before buttons, in a message of their own: a message has the one or the other. */
  async #send(place: { topicId: string; parentId?: string }, content: Content) {
    const { text, actions, files } = content
    const idempotencyKey = keyFor(await digestOf(place, content))
    const keyed = (part: string) =>
      idempotencyKey === undefined ? {} : { idempotencyKey: idempotencyKey + part }
    if (files.length > 0) {
      const caption = actions || text === '' ? {} : { caption: text }
      const sent = await this.parley.sendMessage({
        form: { ...place, ...caption },
        files,
        ...keyed(':files'),
      })
      if (!actions) return sent
    }
    return this.parley.sendMessage({ body: { ...place, text, ...(actions && { actions }) }, ...keyed('') })
  }

  async editMessage(
    threadId: string,
    messageId: string,
    message: AdapterPostableMessage,
  ): Promise<RawMessage<ParleyMessage>> {
    const { text, actions = null, files } = await contentOf(message)
    if (files.length > 0) throw new NotImplementedError('An edit cannot bring files', 'files')
    const { topicId } = decodeThread(threadId)
    const { id, updatedAt } = await this.parley.editMessage({
      params: { messageId },
      body: { text, actions },
    })
    return { id, threadId, raw: { id, topicId, createdAt: updatedAt } }
  }

  async deleteMessage(_threadId: string, messageId: string): Promise<void> {
    await this.parley.deleteMessage({ params: { messageId } })
  }

  async stream(
    threadId: string,
    chunks: AsyncIterable<string | StreamChunk>,
  ): Promise<RawMessage<ParleyMessage>> {
    const place = placeIn(threadId)
    const key = keyFor(`stream ${threadId}`)
    const stream = await openStream(this.parley, place, ...(key === undefined ? [] : [key]))
    const showStep = stepsOf(this.parley, stream.id)
    // A person who stops the message stops what writes it.
    stream.signal.addEventListener('abort', () => void this.#started?.chat.abortTurn(threadId))
    async function* texts() {
      for await (const chunk of chunks) {
        if (typeof chunk === 'string') yield convertEmojiPlaceholders(chunk, 'discord')
        else if (chunk.type === 'markdown_text') yield convertEmojiPlaceholders(chunk.text, 'discord')
        else if (chunk.type === 'task_update') await showStep(chunk)
      }
    }
    await stream.write(texts())
    const { id } = stream
    const raw = { id, topicId: place.topicId, createdAt: Date.now() }
    return { id, threadId: this.#threadAfter(threadId, id), raw }
  }

  async addReaction(_threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    await this.parley.addReaction({ params: { messageId }, body: { reaction: toParleyEmoji(emoji) } })
  }

  /** Adding a reaction that is there tells its id. */
  async removeReaction(_threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    const reaction = toParleyEmoji(emoji)
    const { id: reactionId } = await this.parley.addReaction({ params: { messageId }, body: { reaction } })
    await this.parley.removeReaction({ params: { messageId, reactionId } })
  }

  async startTyping(threadId: string): Promise<void> {
    const { topicId, parentId } = placeIn(threadId)
    await this.parley.tellWorking({
      params: { topicId },
      body: { ...(parentId !== undefined && { parentId }) },
    })
  }

  async markAsRead(_threadId: string, messageId: string): Promise<void> {
    await this.parley.markRead({ params: { messageId } })
  }

  async fetchMessages(threadId: string, options?: FetchOptions): Promise<FetchResult<ParleyMessage>> {
    const { messages, nextCursor } = await readPage(this.parley, threadId, options)
    const isDirect = this.isDM(threadId)
    return {
      messages: messages.map((message) => messageOf(this.parley, message, this.#own(), isDirect)),
      ...(nextCursor !== undefined && { nextCursor }),
    }
  }

  fetchChannelMessages(channelId: string, options?: FetchOptions): Promise<FetchResult<ParleyMessage>> {
    return this.fetchMessages(channelId, options)
  }

  async fetchMessage(threadId: string, messageId: string): Promise<Message<ParleyMessage> | null> {
    const { topicId, isDirectMessage } = decodeThread(threadId)
    const [read] = await readIfThere(this.parley, topicId, messageId)
    return read ? messageOf(this.parley, read, this.#own(), isDirectMessage) : null
  }

  async fetchThread(threadId: string): Promise<ThreadInfo> {
    const { id: channelId, name, ...info } = await this.fetchChannelInfo(channelOf(threadId))
    return { ...info, id: threadId, channelId, ...(name !== undefined && { channelName: name }) }
  }

  async fetchChannelInfo(channelId: string): Promise<ChannelInfo> {
    const { topicId } = decodeThread(channelId)
    const topic = await this.parley.readTopic({ params: { topicId } })
    return {
      id: channelId,
      name: topic.name,
      isDM: topic.type === 'dm',
      memberCount: topic.memberIds.length,
      channelVisibility: topic.open ? 'workspace' : 'private',
      metadata: { topic },
    }
  }

  async listThreads(
    channelId: string,
    options: ListThreadsOptions = {},
  ): Promise<ListThreadsResult<ParleyMessage>> {
    const { messages, nextCursor } = await readPage(this.parley, channelId, options)
    const threads = messages.filter(({ replyCount }) => replyCount > 0).reverse()
    const { topicId, isDirectMessage } = decodeThread(channelId)
    return {
      threads: threads.map((message) => ({
        id: encodeThread({ topicId, messageId: message.id, isDirectMessage }),
        rootMessage: messageOf(this.parley, message, this.#own(), isDirectMessage),
        replyCount: message.replyCount,
      })),
      ...(nextCursor !== undefined && { nextCursor }),
    }
  }

  async getUser(memberId: string): Promise<UserInfo | null> {
    const member = await orUndefined(this.parley.readMember({ params: { memberId } }))
    if (!member) return null
    const { id, name, email, type } = member
    return { userId: id, userName: name, fullName: name, isBot: type === 'bot', ...(email && { email }) }
  }

  async openDM(memberId: string): Promise<string> {
    const { id: topicId } = await this.parley.startDirectMessage({ body: { memberId } })
    return encodeThread({ topicId, isDirectMessage: true })
  }

  /** Stands below the message or the buttons that the person used, or below the first message of the thread. */
  async postEphemeral(
    threadId: string,
    userId: string,
    message: AdapterPostableMessage,
    { fallbackToDM }: PostEphemeralOptions = { fallbackToDM: false },
  ): Promise<EphemeralMessage<ParleyMessage> | null> {
    const { text, actions, files } = await contentOf(message)
    const { topicId, messageId: first } = decodeThread(threadId)
    const { asked } = turns.getStore() ?? {}
    const isAnswer = asked?.userId === userId && asked.topicId === topicId
    const messageId = isAnswer ? asked.messageId : first
    if (messageId === undefined || actions || files.length > 0) {
      if (!fallbackToDM) return null
      const { id, threadId: direct, raw } = await this.postMessage(await this.openDM(userId), message)
      return { id, threadId: direct, raw, usedFallback: true }
    }
    if (isAnswer && asked.actionId !== undefined)
      await this.parley.noteAction({ params: { actionId: asked.actionId }, body: { text } })
    else await this.parley.answerPrivately({ params: { messageId, memberId: userId }, body: { text } })
    return { id: '', threadId, raw: { id: '', topicId, createdAt: Date.now() }, usedFallback: false }
  }

  async scheduleMessage(
    threadId: string,
    message: AdapterPostableMessage,
    { postAt }: { postAt: Date },
  ): Promise<ScheduledMessage<ParleyMessage>> {
    const { text, actions, files } = await contentOf(message)
    if (files.length > 0) throw new NotImplementedError('A scheduled message has no files', 'files')
    const content = { ...placeIn(threadId), text, ...(actions && { actions }), sendAt: postAt.getTime() }
    const raw = await this.parley.sendMessage({ body: content })
    const params = { scheduledMessageId: raw.id }
    return {
      scheduledMessageId: raw.id,
      channelId: channelOf(threadId),
      postAt,
      raw,
      cancel: () => this.parley.cancelScheduledMessage({ params }),
    }
  }
}
