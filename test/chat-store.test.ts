import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatState } from '../web/src/chat/model.ts'
import { apply, applyAll } from '../web/src/chat/store/apply.ts'
import {
  fromEvent,
  mergeHistory,
  STRETCH,
  STRETCH_SLACK,
  shortenStretch,
} from '../web/src/chat/store/content.ts'
import type { ChatEvent, LogEvent } from '../web/src/chat/store/events.ts'
import { putOutgoing } from '../web/src/chat/store/outgoing.ts'
import { compareNames, nameOf, topicsIn, typingNames, unreadTotal } from '../web/src/chat/store/selectors.ts'
import { edited } from '../web/src/chat/store/state-edit.ts'
import { ChatStore } from '../web/src/chat/store/store.ts'
import {
  ADA,
  AT,
  BEN,
  created,
  deleted,
  idOf,
  member,
  message,
  messageOf,
  OTHER,
  reacted,
  ready,
  shown,
  TOPIC,
  topic,
  topicOf,
  updated,
} from './support/chat-events.ts'

describe('events', () => {
  it('bring messages into the loaded stretch, in the order of their ids', () => {
    const state = applyAll(ready([message(1)]), [created(11, message(3)), created(12, message(2))])
    expect(shown(state)).toEqual(['Message 1', 'Message 2', 'Message 3'])
    expect(state.position).toBe(12)
  })

  it('leave alone what lies beyond an end that has more', () => {
    const state = edited(ready([message(5)]), (edit) =>
      mergeHistory(
        edit,
        { topicId: TOPIC },
        { messages: [fromEvent(message(5))], hasBefore: true, hasAfter: true, polls: [], tasks: [] },
        { end: 'whole' },
      ),
    )
    const after = applyAll(state, [created(11, message(9)), created(12, message(2))])
    expect(shown(after)).toEqual(['Message 5'])
    expect(after.messages.size).toBe(1)
    expect(topicOf(after)).toMatchObject({ unread: 1, lastMessage: { id: idOf(9) } })
  })

  it('count what is unread, mentions apart, and never what the person wrote', () => {
    const state = applyAll(ready(), [
      created(11, message(1)),
      created(12, message(2, { mentionedProfiles: [ADA], mentions: [{ id: ADA, name: 'Ada' }] })),
      created(13, message(3, { senderId: ADA })),
    ])
    expect(topicOf(state)).toMatchObject({ unread: 2, mentions: 1 })
    expect(unreadTotal(state)).toEqual({ unread: 2, mentions: 1, waiting: 1 })
    const gone = apply(state, deleted(14, 2))
    expect(topicOf(gone)).toMatchObject({ unread: 1, mentions: 0 })
  })

  it('count up to a hundred', () => {
    const events = Array.from({ length: 120 }, (_, number) => created(11 + number, message(number)))
    expect(topicOf(applyAll(ready(), events)).unread).toBe(100)
  })

  it('keep reactions with who, each person once', () => {
    const state = applyAll(ready([message(1)]), [
      reacted(11, 1, BEN),
      reacted(12, 1, ADA),
      reacted(13, 1, ADA),
      reacted(14, 1, BEN, false),
    ])
    expect(messageOf(state, 1)?.reactions).toEqual([{ emoji: '🎉', count: 1, userIds: [ADA] }])
    expect(messageOf(apply(state, reacted(15, 1, ADA, false)), 1)?.reactions).toEqual([])
  })

  it('edit a message without losing who reacted or how often it was replied to', () => {
    const state = applyAll(ready([message(1)]), [
      reacted(11, 1, BEN),
      created(12, message(2, { parentId: idOf(1) })),
      updated(13, message(1, { text: 'Better', updatedAt: AT + 50 })),
    ])
    expect(messageOf(state, 1)).toMatchObject({ text: 'Better', isEdited: true, replyCount: 1 })
    expect(messageOf(state, 1)?.reactions).toHaveLength(1)
    expect(messageOf(state, 1)).not.toHaveProperty('previousText')
  })

  it('put a reply into the topic and into its thread', () => {
    const state = edited(ready([message(1)]), (edit) =>
      mergeHistory(
        edit,
        { topicId: TOPIC, threadId: idOf(1) },
        { messages: [], hasBefore: false, hasAfter: false, polls: [], tasks: [] },
        { end: 'whole' },
      ),
    )
    const after = apply(state, created(11, message(2, { parentId: idOf(1) })))
    expect(shown(after)).toEqual(['Message 1', 'Message 2'])
    expect(shown(after, idOf(1))).toEqual(['Message 2'])
    const gone = apply(after, deleted(12, 2))
    expect(shown(gone, idOf(1))).toEqual([])
    expect(messageOf(gone, 1)?.replyCount).toBe(0)
  })

  it('show the message before as the last one when the last is deleted', () => {
    const state = applyAll(ready(), [created(11, message(1)), created(12, message(2)), deleted(13, 2)])
    expect(topicOf(state).lastMessage).toMatchObject({ id: idOf(1), text: 'Message 1' })
  })

  it('take messages whose time is over out together, from what is unread too', () => {
    const state = applyAll(
      ready(),
      [1, 2, 3].map((number) => created(10 + number, message(number))),
    )
    const before = topicOf(state).unread
    const gone = [1, 3].map((number) => ({ id: idOf(number), topicId: TOPIC, senderId: BEN }))
    const { data, ...event } = deleted(14, 1) as LogEvent & { type: 'message.deleted' }
    const after = apply(state, { ...event, data: { ...data, reason: 'retention', messages: gone } })
    expect(shown(after)).toEqual(['Message 2'])
    expect(topicOf(after)).toMatchObject({ unread: before - 2, lastMessage: { id: idOf(2) } })
  })

  it('change topics, and who may write there', () => {
    const change = (position: number, changes: object): LogEvent => ({
      type: 'topic.updated',
      position,
      data: { topicId: TOPIC, actorId: BEN, changes },
    })
    const state = apply(ready(), change(11, { name: 'News', announcement: true }))
    expect(topicOf(state)).toMatchObject({ name: 'News', announcement: true, mayWrite: false })
    const promoted = apply(state, {
      type: 'member.updated',
      position: 12,
      data: { member: member(ADA, 'Ada', 'admin') },
    })
    expect(topicOf(promoted)).toMatchObject({ mayWrite: true, maySet: true })
    const archived = apply(promoted, change(13, { archived: true }))
    expect(topicOf(archived)).toMatchObject({ mayWrite: false })
    expect(topicsIn(archived, 'topics').map(({ id }) => id)).toEqual([OTHER])
  })

  it('bring and take members; who is removed sees the topic no longer', () => {
    const members = (
      type: 'member.added' | 'member.removed',
      position: number,
      memberIds: string[],
    ): LogEvent => ({
      type,
      position,
      data: { topicId: TOPIC, memberIds, actorId: BEN, createdAt: AT },
    })
    const state = applyAll(ready([message(1)]), [
      members('member.added', 11, ['c', 'd']),
      members('member.removed', 12, ['c']),
    ])
    expect(topicOf(state)).toMatchObject({ memberCount: 3, memberIds: [ADA, BEN, 'd'] })
    // The topic was read after the member had left, and the event comes later.
    expect(topicOf(apply(state, members('member.removed', 13, ['c'])))).toMatchObject({ memberCount: 3 })
    const out = apply(state, members('member.removed', 13, [ADA]))
    expect(out.topics.has(TOPIC)).toBe(false)
    expect(out.conversations.size + out.messages.size).toBe(0)
  })

  it('name a direct message after those who are in it now', () => {
    const dm = topic(OTHER, { type: 'dm', name: 'Ben' })
    const state = apply(ready([], { topics: [dm] }), {
      type: 'member.updated',
      position: 11,
      data: { member: member(BEN, 'Benjamin') },
    })
    expect(nameOf(state, dm)).toBe('Benjamin')
  })

  it('that are not kept: typing ends with the message, presence comes and goes', () => {
    const typing: ChatEvent = { type: 'typing', at: AT, data: { topicId: TOPIC, profileId: BEN } }
    const state = applyAll(ready(), [
      { type: 'member.updated', position: 11, data: { member: member(BEN, 'Ben') } },
      typing,
      { type: 'presence', at: AT, data: { profileId: BEN, online: true } },
    ])
    expect(typingNames(state, TOPIC)).toEqual(['Ben'])
    expect([...(state.online ?? [])]).toEqual([BEN])
    expect(typingNames(apply(state, created(12, message(1))), TOPIC)).toEqual([])
  })
})

describe('a repeated event', () => {
  const numbers = fc.integer({ min: 1, max: 6 })
  const people = fc.constantFrom(ADA, BEN)
  const change = fc.oneof(
    fc.record({ kind: fc.constant('created' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('reply' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('updated' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('deleted' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('reacted' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('unreacted' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('pinned' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('joined' as const), number: numbers, who: people }),
    fc.record({ kind: fc.constant('moved' as const), number: numbers, who: people }),
  )
  type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never
  const eventOf = ({ kind, number, who }: Change, index: number): LogEvent => {
    const position = 11 + index
    const one = message(number, { senderId: who, updatedAt: AT + index })
    switch (kind) {
      case 'created':
        return created(position, one)
      case 'reply':
        return created(position, { ...one, parentId: idOf(1) })
      case 'updated':
        return updated(position, { ...one, text: `Edit ${index}` })
      case 'deleted':
        return deleted(position, number, who)
      case 'reacted':
        return reacted(position, number, who)
      case 'unreacted':
        return reacted(position, number, who, false)
      case 'pinned':
        return {
          type: 'message.pinned',
          position,
          data: { topicId: TOPIC, messageId: idOf(number), actorId: who, createdAt: AT },
        }
      case 'joined':
        return {
          type: 'member.added',
          position,
          data: { topicId: TOPIC, memberIds: [`new ${number}`], actorId: who, createdAt: AT },
        }
      case 'moved':
        return { type: 'moved', position }
    }
  }

  it('changes nothing, wherever in the order it comes again', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(29), fc.nat(5)), { maxLength: 10 }),
        (changes, repeats) => {
          const events = changes.map(eventOf)
          const plain = events.reduce(apply, ready())
          // Each repeat goes back by some events, as a stream does that is resumed from an earlier position.
          const told = events.flatMap((event, index) => [
            event,
            ...repeats
              .filter(([at]) => at === index)
              .flatMap(([, back]) => events.slice(Math.max(0, index - back), index + 1)),
          ])
          expect(told.reduce(apply, ready())).toEqual(plain)
          expect(applyAll(ready(), told)).toEqual(plain)
        },
      ),
    )
  })

  it('gives the very same state, so that nothing is drawn', () => {
    const state = apply(ready(), created(11, message(1)))
    expect(apply(state, created(11, message(1)))).toBe(state)
    const other = apply(state, reacted(12, 1, BEN))
    expect(other.topics).toBe(state.topics)
    expect(other.members).toBe(state.members)
  })
})

describe('a stretch', () => {
  const MOST = STRETCH + STRETCH_SLACK
  const long = (count: number) =>
    ready(
      Array.from({ length: count }, (_, index) =>
        message(index + 1, index === 5 ? { parentId: idOf(3) } : {}),
      ),
    )
  const shortened = (count: number, index: number) =>
    edited(long(count), (edit) => shortenStretch(edit, TOPIC, index))
  const stretchOf = (state: ChatState) => state.conversations.get(TOPIC)

  it('stays whole up to a length', () => {
    const state = long(MOST)
    expect(edited(state, (edit) => shortenStretch(edit, TOPIC, 0))).toBe(state)
  })

  it('lets go of its older end for who is near the newest, with the messages', () => {
    const state = shortened(MOST + 1, MOST)
    expect(stretchOf(state)).toMatchObject({ hasBefore: true, hasAfter: false })
    expect(shown(state).at(0)).toBe(`Message ${MOST + 2 - STRETCH}`)
    expect(shown(state).at(-1)).toBe(`Message ${MOST + 1}`)
    expect(state.messages.size).toBe(STRETCH)
    // New messages still come.
    expect(shown(apply(state, created(11, message(MOST + 2)))).at(-1)).toBe(`Message ${MOST + 2}`)
  })

  it('lets go of its newer end for who is far up, and what comes then is beyond it', () => {
    const state = shortened(MOST + 1, 10)
    expect(stretchOf(state)?.hasAfter).toBe(true)
    expect(shown(state)).toHaveLength(STRETCH)
    const after = apply(state, created(11, message(MOST + 2)))
    expect(shown(after).at(-1)).toBe(`Message ${STRETCH}`)
    expect(topicOf(after)).toMatchObject({ unread: 1, lastMessage: { id: idOf(MOST + 2) } })
  })

  it('keeps messages that a thread shows', () => {
    const opened = edited(long(MOST + 1), (edit) => {
      const page = {
        messages: [fromEvent(message(6, { parentId: idOf(3) }))],
        hasBefore: false,
        hasAfter: false,
      }
      mergeHistory(
        edit,
        { topicId: TOPIC, threadId: idOf(3) },
        { ...page, polls: [], tasks: [] },
        { end: 'whole' },
      )
    })
    const state = edited(opened, (edit) => shortenStretch(edit, TOPIC, MOST))
    expect([3, 4, 6, 7].map((number) => state.messages.has(idOf(number)))).toEqual([true, false, true, false])
  })
})

describe('the store', () => {
  it('tells its listeners once a frame, however many events come', () => {
    let draw = () => {}
    const store = new ChatStore(ready(), (work) => {
      draw = work
      return () => {}
    })
    let told = 0
    store.subscribe(() => (told += 1))
    for (let number = 1; number <= 1000; number++) store.hear([created(10 + number, message(number))])
    expect(told).toBe(0)
    draw()
    expect(told).toBe(1)
    expect(shown(store.getSnapshot())).toHaveLength(1000)
    store.update((state) => state)
    expect(told).toBe(1)
  })

  it('shows what the person does at once, after the events before it', () => {
    const store = new ChatStore(ready(), () => () => {})
    store.hear([created(11, message(1))])
    store.update((state) =>
      putOutgoing(state, { localId: 'x', topicId: TOPIC, text: 'Mine', createdAt: AT, state: 'queued' }),
    )
    expect(shown(store.getSnapshot())).toEqual(['Message 1', '(Mine)'])
    expect(store.since(10)).toHaveLength(1)
  })
})

describe('names', () => {
  it('are ordered as the language orders them, plain ones without its tables', () => {
    const names = fc.string({ unit: fc.constantFrom(...'abzABZ019 _-é'), maxLength: 6 })
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(Math.sign(compareNames(one, other))).toBe(
          Math.sign(one.localeCompare(other, undefined, { numeric: true })),
        )
      }),
    )
  })
})
