import { afterEach, describe, expect, it } from 'vitest'
import { chatApi, type Fetch } from '../web/src/api/chat.ts'
import type { Outgoing } from '../web/src/chat/model.ts'
import { Outbox, type OutboxStorage } from '../web/src/chat/sync/outbox.ts'
import type { UploadResult } from '../web/src/chat/sync/protocol.ts'
import { type Answering, refuse, type ScriptedServer, scriptedServer } from './support/chat-server.ts'
import { until } from './support/receiver.ts'

const servers: ScriptedServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop()
})

/** Keeps answers by key, as the real server does, and messages in the order in which they were taken. */
function takingMessages() {
  const taken: { topicId: string; text: string; externalId: string }[] = []
  const answers = new Map<string, { id: string; createdAt: number }>()
  const take: Answering = ({ key = '', body }) => {
    const kept = answers.get(key)
    if (kept) return kept
    taken.push(JSON.parse(body))
    const answer = { id: `id ${taken.length}`, topicId: 't', createdAt: taken.length }
    answers.set(key, answer)
    return answer
  }
  return { taken, take }
}

const memory = (): OutboxStorage & { items: Map<string, Outgoing> } => {
  const items = new Map<string, Outgoing>()
  return {
    items,
    load: async () => [...items.values()],
    put: async (item) => void items.set(item.localId, item),
    delete: async (localId) => void items.delete(localId),
  }
}

async function outboxAt(answer: Answering, storage = memory()) {
  const server = await scriptedServer(answer)
  servers.push(server)
  return { server, ...outboxOf(server, storage) }
}

function outboxOf(server: ScriptedServer, storage = memory()) {
  const fetcher: Fetch = (url, init) => fetch(`${server.url}${url}`, init)
  const items = new Map<string, Outgoing>()
  const sent: string[] = []
  const gone: string[] = []
  const waits: number[] = []
  const uploads: { item: Outgoing; done(result: UploadResult): void }[] = []
  const outbox = new Outbox({
    api: chatApi('o', fetcher),
    storage,
    onItem: (item) => items.set(item.localId, item),
    onSent: (item) => sent.push(item.text),
    onGone: (localId) => gone.push(localId),
    upload: (item) => new Promise((done) => uploads.push({ item, done })),
    stopUpload: () => {},
    waitBefore: (failures) => {
      waits.push(failures)
      return 10
    },
  })
  return { outbox, storage, items, sent, gone, waits, uploads }
}

let count = 0
const outgoing = (text: string, changes: Partial<Outgoing> = {}): Outgoing => {
  count += 1
  return { localId: `local ${count}`, topicId: 't', text, createdAt: count, state: 'queued', ...changes }
}

describe('the outbox', () => {
  it('sends one after the other in a topic, and topics beside each other', async () => {
    const { taken, take } = takingMessages()
    let underWay = 0
    let most = 0
    const { outbox, sent, storage } = await outboxAt(async (asked, response) => {
      const isFirstTopic = JSON.parse(asked.body).topicId === 't'
      if (isFirstTopic) most = Math.max(most, ++underWay)
      // The delay shrinks, so that a later message would overtake if it were not held back.
      await new Promise((resolve) => setTimeout(resolve, 20 - 2 * taken.length))
      const answer = take(asked, response)
      if (isFirstTopic) underWay -= 1
      return answer
    })
    for (const text of ['1', '2', '3', '4']) outbox.add(outgoing(text))
    outbox.add(outgoing('elsewhere', { topicId: 'other' }))
    await until(() => sent.length === 5)
    expect(taken.filter(({ topicId }) => topicId === 't').map(({ text }) => text)).toEqual([
      '1',
      '2',
      '3',
      '4',
    ])
    expect(most).toBe(1)
    expect(storage.items.size).toBe(0)
  })

  it('sends again under the same key when the answer was lost, and nothing is there twice', async () => {
    const { taken, take } = takingMessages()
    let cuts = 2
    const { outbox, sent, server } = await outboxAt((asked, response) => {
      const answer = take(asked, response)
      if (cuts-- <= 0) return answer
      response.destroy() // taken, but the answer is lost
    })
    outbox.add(outgoing('once'))
    outbox.add(outgoing('then'))
    await until(() => sent.length === 2)
    expect(taken.map(({ text }) => text)).toEqual(['once', 'then'])
    const keys = server.asked.map(({ key }) => key)
    expect(keys).toHaveLength(4)
    expect(new Set(keys).size).toBe(2)
    expect(taken.map(({ externalId }) => externalId)).toEqual([...new Set(keys)])
  })

  it('waits while the server fails, longer each time, and as long as it demands', async () => {
    const { taken, take } = takingMessages()
    let tries = 0
    const { outbox, sent, waits, items } = await outboxAt((asked, response) => {
      tries += 1
      if (tries <= 3) return refuse(response, 503, 'temporarily unavailable, try again')
      if (tries === 4) return refuse(response, 429, 'slow down', { 'Retry-After': '0.05' })
      return take(asked, response)
    })
    const item = outgoing('patience')
    outbox.add(item)
    await until(() => sent.length === 1)
    expect(waits).toEqual([1, 2, 3])
    expect(taken).toHaveLength(1)
    expect(items.get(item.localId)?.failure).toBeUndefined()
  })

  it('marks what is refused, goes on with the next, and can send it again', async () => {
    const { taken, take } = takingMessages()
    let refuses = true
    const { outbox, sent, items, storage } = await outboxAt((asked, response) => {
      if (refuses && asked.body.includes('wrong'))
        return refuse(response, 404, 'Topic not found', { 'X-Error-Code': 'topic_not_found' })
      return take(asked, response)
    })
    const wrong = outgoing('wrong')
    outbox.add(wrong)
    outbox.add(outgoing('right'))
    await until(() => sent.length === 1)
    expect(items.get(wrong.localId)).toMatchObject({
      state: 'failed',
      failure: { status: 404, code: 'topic_not_found', text: 'Topic not found' },
    })
    expect([...storage.items.keys()]).toEqual([wrong.localId])
    refuses = false
    outbox.sendAgain(wrong.localId)
    await until(() => sent.length === 2)
    expect(taken.map(({ text }) => text)).toEqual(['right', 'wrong'])
  })

  it('goes on after a reload, in order, with what was never answered', async () => {
    const { taken, take } = takingMessages()
    let isDeaf = true
    const storage = memory()
    const { outbox, server } = await outboxAt((asked, response) => {
      if (!isDeaf) return take(asked, response)
      take(asked, response)
    }, storage)
    for (const text of ['1', '2', '3']) outbox.add(outgoing(text))
    await until(() => server.asked.length === 1)
    // The page is gone: the answer reaches no page, and only the kept messages are left.
    outbox.pause()
    isDeaf = false
    const again = outboxOf(server, storage)
    await again.outbox.load()
    await until(() => again.sent.length === 3)
    expect(taken.map(({ text }) => text)).toEqual(['1', '2', '3'])
  })

  it('survives a server that dies and comes back', async () => {
    const { taken, take } = takingMessages()
    const { outbox, sent, server } = await outboxAt(take)
    outbox.add(outgoing('before'))
    await until(() => sent.length === 1)
    await server.stop()
    for (const text of ['while it', 'was away']) outbox.add(outgoing(text))
    await server.start()
    outbox.wake()
    await until(() => sent.length === 3)
    expect(taken.map(({ text }) => text)).toEqual(['before', 'while it', 'was away'])
  })

  it('lets go of what an event has brought before the answer did', async () => {
    const { take } = takingMessages()
    let answerNow = () => {}
    const { outbox, gone, sent, storage, server } = await outboxAt(async (asked, response) => {
      const answer = take(asked, response)
      await new Promise<void>((resolve) => (answerNow = resolve))
      return answer
    })
    const item = outgoing('fast')
    outbox.add(item)
    await until(() => server.asked.length === 1)
    const message = Object({ id: 'id 1', externalId: item.localId, senderId: 'me' })
    const event = { type: 'message.created' as const, position: 1, data: { message, truncated: false } }
    outbox.hear([event], 'somebody else')
    expect(outbox.items).toHaveLength(1)
    outbox.hear([event], 'me')
    expect(outbox.items).toEqual([])
    answerNow()
    outbox.add(outgoing('next'))
    await until(() => server.asked.length === 2)
    answerNow()
    await until(() => sent.length === 1)
    // The event itself says it to the tabs: a word beside it could come first, and the row would flicker.
    expect(gone).toEqual([])
    expect(sent).toEqual(['next'])
    expect(storage.items.size).toBe(0)
  })

  it('can take back what has not gone out, and goes on without it', async () => {
    const { taken, take } = takingMessages()
    let isDown = true
    const { outbox, sent, gone, server } = await outboxAt((asked, response) =>
      isDown ? response.destroy() && undefined : take(asked, response),
    )
    const regretted = outgoing('regretted')
    outbox.add(regretted)
    outbox.add(outgoing('meant'))
    await until(() => server.asked.length > 1)
    await until(() => outbox.items[0]?.state === 'queued')
    outbox.discard(regretted.localId)
    isDown = false
    await until(() => sent.length === 1)
    expect(gone).toEqual([regretted.localId])
    expect(taken.map(({ text }) => text)).toEqual(['meant'])
  })

  it('holds texts back until the files before them are taken, and keeps files until they are shown', async () => {
    const { taken, take } = takingMessages()
    let isProcessed = false
    const { outbox, uploads, sent, items, gone } = await outboxAt((asked, response) => {
      if (asked.method === 'POST') return take(asked, response)
      if (asked.path === '/chat/sent') return { sent: null }
      return isProcessed ? { id: 'file' } : refuse(response, 404, 'Message not found')
    })
    const files = [{ name: 'a.txt', size: 1, type: 'text/plain', blob: new Blob(['a']) }]
    const file = outgoing('look', { files, createdAt: Date.now() })
    outbox.add(file)
    outbox.add(outgoing('see?'))
    await until(() => uploads.length === 1)
    outbox.progress(file.localId, 1)
    expect(items.get(file.localId)).toMatchObject({ state: 'sending', sentBytes: 1 })
    expect(taken).toEqual([])
    uploads[0]?.done({ failure: { status: 0, code: 'unreachable', text: '' } })
    await until(() => uploads.length === 2)
    uploads[1]?.done({ answer: { id: 'file', createdAt: 1 } })
    await until(() => sent.length === 1)
    expect(items.get(file.localId)).toMatchObject({ state: 'accepted', id: 'file' })
    await outbox.check()
    expect(outbox.items).toHaveLength(1)
    isProcessed = true
    await outbox.check()
    expect(gone).toEqual([file.localId])
  })

  it('asks what came of files before it uploads them again', async () => {
    const storage = memory()
    const files = [{ name: 'a.txt', size: 1, type: 'text/plain', blob: new Blob(['a']) }]
    const file = outgoing('look', { files, state: 'sending', isTried: true })
    storage.items.set(file.localId, file)
    const { outbox, server, uploads, items } = await outboxAt(({ query }) => {
      return { sent: query.get('key') === file.localId ? { id: 'file', createdAt: 1 } : null }
    }, storage)
    await outbox.load()
    await until(() => items.get(file.localId)?.state === 'accepted')
    expect(uploads).toEqual([])
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /chat/sent'])
    expect(items.get(file.localId)?.id).toBe('file')
  })

  it('says so when the browser lost files that the server does not have', async () => {
    const storage = memory()
    const files = [{ name: 'a.txt', size: 1, type: 'text/plain' }]
    const file = outgoing('look', { files, state: 'sending', isTried: true })
    storage.items.set(file.localId, file)
    const { outbox, uploads, items } = await outboxAt(() => ({ sent: null }), storage)
    await outbox.load()
    await until(() => items.get(file.localId)?.state === 'failed')
    expect(items.get(file.localId)?.failure?.code).toBe('files-lost')
    expect(uploads).toEqual([])
  })

  it('says so when files were taken and never shown', async () => {
    const { outbox, uploads, items } = await outboxAt((_asked, response) =>
      refuse(response, 404, 'Message not found'),
    )
    const files = [{ name: 'a.txt', size: 1, type: 'text/plain', blob: new Blob(['a']) }]
    const file = outgoing('look', { files })
    outbox.add(file)
    await until(() => uploads.length === 1)
    uploads[0]?.done({ answer: { id: 'file', createdAt: 1 } })
    await until(() => items.get(file.localId)?.state === 'accepted')
    await outbox.check()
    expect(items.get(file.localId)).toMatchObject({
      state: 'failed',
      failure: { code: 'files-not-processed' },
    })
  })
})
