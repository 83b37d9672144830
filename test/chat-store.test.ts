import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventMessage, Message } from '../contract/message.ts'
import type { ChatMember, ChatTopic } from '../contract/people/chat.ts'
import type { ChatState, Outgoing } from '../web/src/chat/model.ts'
import { apply, applyAll, emptyState, mergeStart, type StartAnswer } from '../web/src/chat/store/apply.ts'
import { applyContent, fromEvent, mergeHistory } from '../web/src/chat/store/content.ts'
import { moveRead, moveUnread, putStates } from '../web/src/chat/store/directory.ts'
import type { ChatEvent, LogEvent } from '../web/src/chat/store/events.ts'
import { dropArrived, putOutgoing, settleOutgoing } from '../web/src/chat/store/outgoing.ts'
import {
  conversationItems,
  nameOf,
  sidebarSections,
  typingNames,
  unreadTotal,
} from '../web/src/chat/store/selectors.ts'
import { edited } from '../web/src/chat/store/state-edit.ts'
import { ChatStore } from '../web/src/chat/store/store.ts'
import { plainChatTopic } from './support/chat-topic.ts'

const ADA = '00000000-0000-4000-8000-00000000000a'
const BEN = '00000000-0000-4000-8000-00000000000b'
const TOPIC = '10000000-0000-4000-8000-000000000001'
const OTHER = '10000000-0000-4000-8000-000000000002'
const AT = 1767225600000

/** Ids in the order of time, as the server makes them. */
const idOf = (number: number) => `0197a1b2-c3d4-7e5f-8a9b-${String(number).padStart(12, '0')}`
const member = (id: string, name: string, role: ChatMember['role'] = 'member'): ChatMember => ({
  id,
  type: 'user',
  name,
  email: `${name}@example.com`,
  role,
  status: 'Active',
})
const topic = (id: string, changes: Partial<ChatTopic> = {}): ChatTopic =>
  plainChatTopic({
    id,
    name: id === TOPIC ? 'General' : 'Random',
    createdBy: BEN,
    createdAt: AT,
    memberIds: [ADA, BEN],
    ...changes,
  })
const start = (changes: Partial<StartAnswer> = {}): StartAnswer => ({
  position: 10,
  me: member(ADA, 'Ada'),
  organization: { id: 'o', name: 'Lighthouse' },
  topics: [topic(TOPIC), topic(OTHER)],
  drafts: [],
  labels: [],
  online: [],
  ...changes,
})
const message = (number: number, changes: Partial<EventMessage> = {}): EventMessage => ({
  id: idOf(number),
  topicId: TOPIC,
  senderId: BEN,
  senderName: 'Ben',
  senderType: 'user',
  type: 'text',
  text: `Message ${number}`,
  createdAt: AT + number,
  updatedAt: AT + number,
  isEdited: false,
  isSystem: false,
  truncated: false,
  attachments: [],
  mentions: [],
  mentionedProfiles: [],
  reactions: [],
  ...changes,
})
const created = (position: number, one: EventMessage): LogEvent => ({
  type: 'message.created',
  position,
  data: { message: one, truncated: false },
})
const reacted = (position: number, number: number, userId: string, isOn = true): LogEvent => {
  const reaction = { id: 'r', messageId: idOf(number), topicId: TOPIC, userId, emoji: '🎉' }
  return {
    type: isOn ? 'reaction.added' : 'reaction.removed',
    position,
    data: { ...reaction, reactionId: 'r', createdAt: AT, reaction },
  }
}
const deleted = (position: number, number: number, senderId = BEN): LogEvent => ({
  type: 'message.deleted',
  position,
  data: {
    messageId: idOf(number),
    topicId: TOPIC,
    deletedAt: AT,
    deletedBy: senderId,
    message: { id: idOf(number), topicId: TOPIC, senderId },
  },
})
const updated = (position: number, one: EventMessage): LogEvent => ({
  type: 'message.updated',
  position,
  data: { message: { ...one, isEdited: true, previousText: 'x' }, truncated: false, updatedFields: ['text'] },
})

/** Started, with a conversation that is loaded up to its newest message. */
const ready = (messages: EventMessage[] = [], changes: Partial<StartAnswer> = {}): ChatState =>
  edited(mergeStart(emptyState('o'), start(changes), { isGap: true }), (edit) =>
    mergeHistory(
      edit,
      { topicId: TOPIC },
      { messages: messages.map(fromEvent), hasBefore: false, hasAfter: false },
      { end: 'whole' },
    ),
  )
const shown = (state: ChatState, key = TOPIC) =>
  conversationItems(state, key).map((item) => item.message?.text ?? `(${item.outgoing?.text})`)
const topicOf = (state: ChatState, id = TOPIC): ChatTopic => {
  const found = state.topics.get(id)
  if (!found) throw new Error('the topic is not there')
  return found
}
const messageOf = (state: ChatState, number: number): Message | undefined => state.messages.get(idOf(number))

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
        { messages: [fromEvent(message(5))], hasBefore: true, hasAfter: true },
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
    expect(unreadTotal(state)).toEqual({ unread: 2, mentions: 1 })
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
        { messages: [], hasBefore: false, hasAfter: false },
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
    expect(sidebarSections(archived).topics.map(({ id }) => id)).toEqual([OTHER])
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
    expect([...state.online]).toEqual([BEN])
    expect(typingNames(apply(state, created(12, message(1))), TOPIC)).toEqual([])
  })
})

describe('an event that is told again', () => {
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

describe('what was sent here', () => {
  const item: Outgoing = { localId: 'local', topicId: TOPIC, text: 'Hello', createdAt: AT, state: 'queued' }
  const answer = { id: idOf(7), createdAt: AT + 7 }
  const event = created(11, message(7, { senderId: ADA, text: 'Hello', externalId: 'local' }))
  const page = {
    messages: [fromEvent(event.type === 'message.created' ? event.data.message : message(0))],
    hasBefore: false,
    hasAfter: false,
  }
  type Step = (state: ChatState) => ChatState
  const steps: Record<string, Step> = {
    sending: (state) => putOutgoing(state, { ...item, state: 'sending' }),
    answer: (state) => settleOutgoing(state, item, answer),
    'answer again': (state) => settleOutgoing(state, item, answer),
    event: (state) => apply(state, event),
    page: (state) =>
      dropArrived(edited(state, (edit) => mergeHistory(edit, { topicId: TOPIC }, page, { end: 'whole' }))),
  }

  it('is there once after every step, in every order of answer, event and page', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.keys(steps), { minLength: 1 }), (order) => {
        let state = putOutgoing(ready(), item)
        const keys = new Set<string>()
        for (const name of ['sending', ...order]) {
          state = steps[name]?.(state) ?? state
          const items = conversationItems(state, TOPIC)
          expect(items, `${order} at ${name}`).toHaveLength(1)
          keys.add(items[0]?.key ?? '')
        }
        // One key throughout: the row is never taken away and put back.
        expect([...keys]).toEqual(['local'])
        if (order.some((name) => name !== 'sending')) expect(state.outbox).toEqual([])
        expect(topicOf(state).unread).toBe(0)
      }),
    )
  })

  it('does not vanish for a message of somebody else with the same externalId', () => {
    const state = apply(putOutgoing(ready(), item), created(11, message(7, { externalId: 'local' })))
    expect(shown(state)).toEqual(['Message 7', '(Hello)'])
  })

  it('counts as a reply once, whether its answer or its event comes first', () => {
    const reply = { ...item, parentId: idOf(1) }
    const told = created(11, message(7, { senderId: ADA, externalId: 'local', parentId: idOf(1) }))
    const first = apply(settleOutgoing(putOutgoing(ready([message(1)]), reply), reply, answer), told)
    const second = settleOutgoing(apply(putOutgoing(ready([message(1)]), reply), told), reply, answer)
    expect(messageOf(first, 1)?.replyCount).toBe(1)
    expect(messageOf(second, 1)?.replyCount).toBe(1)
  })

  it('finds files by the id of their answer', () => {
    const files = putOutgoing(ready(), { ...item, state: 'accepted', id: idOf(7) })
    expect(apply(files, created(11, message(7, { senderId: ADA }))).outbox).toEqual([])
  })
})

describe('read positions', () => {
  const unread = () =>
    applyAll(
      ready(),
      [1, 2, 3].map((number) => created(10 + number, message(number))),
    )

  it('only move forward, and the counts with them', () => {
    const state = edited(unread(), (edit) => moveRead(edit, TOPIC, idOf(2)))
    expect(topicOf(state)).toMatchObject({ readTo: idOf(2), unread: 1 })
    expect(edited(state, (edit) => moveRead(edit, TOPIC, idOf(1)))).toBe(state)
  })

  it('move back where a person says so', () => {
    const read = edited(unread(), (edit) => moveRead(edit, TOPIC, idOf(3)))
    expect(topicOf(edited(read, (edit) => moveUnread(edit, TOPIC, idOf(2))))).toMatchObject({
      readTo: idOf(1),
      unread: 2,
    })
  })

  it('are not set back by what the server said before it heard of the last one', () => {
    const state = edited(unread(), (edit) => {
      moveRead(edit, TOPIC, idOf(3))
      edit.unsavedReads.set(TOPIC, idOf(3))
      putStates(edit, [
        { topicId: TOPIC, readTo: idOf(1), unread: 2, mentions: 0, muted: true, favourite: false },
      ])
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(3), unread: 0, muted: true })
  })

  it('of another browser count here', () => {
    const state = apply(unread(), {
      type: 'state',
      at: AT,
      data: {
        states: [{ topicId: TOPIC, readTo: idOf(3), unread: 0, mentions: 0, muted: false, favourite: true }],
      },
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(3), unread: 0, favourite: true })
    expect(sidebarSections(state).unread).toEqual([])
  })

  it('hide a muted topic from what is unread, unless somebody mentions the person', () => {
    const state = applyAll(ready([], { topics: [topic(TOPIC, { muted: true })] }), [created(11, message(1))])
    expect(topicOf(state).unread).toBe(1)
    expect(sidebarSections(state).unread).toEqual([])
    const mentioned = apply(state, created(12, message(2, { mentionedProfiles: [ADA] })))
    expect(sidebarSections(mentioned).unread).toHaveLength(1)
  })
})

describe('what is read anew', () => {
  it('keeps the events that came meanwhile, and does not count again those that it knows', () => {
    const before = applyAll(ready(), [created(11, message(1)), created(13, message(3))])
    const answer = start({
      position: 12,
      topics: [
        topic(TOPIC, { unread: 2, lastMessage: { id: idOf(2), senderId: BEN, text: '', createdAt: AT } }),
      ],
    })
    const state = mergeStart(before, answer, { isGap: false, recent: [created(13, message(3))] })
    expect(topicOf(state).unread).toBe(3)
    expect(state.topics.has(OTHER)).toBe(false)
  })

  it('lets the events before it still bring their messages', () => {
    const answer = start({ position: 12, topics: [topic(TOPIC, { unread: 1 })] })
    const state = apply(mergeStart(ready(), answer, { isGap: false }), created(11, message(1)))
    expect(shown(state)).toEqual(['Message 1'])
    expect(topicOf(state).unread).toBe(1)
    const gap = apply(mergeStart(ready(), answer, { isGap: true }), created(11, message(1)))
    expect(shown(gap)).toEqual([])
  })

  it('takes drafts from the server, but for those that are being written here', () => {
    const own = { topicId: TOPIC, text: 'Being written', updatedAt: AT }
    const gone = { topicId: OTHER, text: 'Sent elsewhere', updatedAt: AT }
    const state: ChatState = {
      ...ready(),
      drafts: new Map([
        [TOPIC, own],
        [OTHER, gone],
      ]),
      unsavedDrafts: new Set([TOPIC]),
    }
    const answer = start({ drafts: [{ topicId: TOPIC, text: 'Older', updatedAt: AT + 1 }] })
    expect([...mergeStart(state, answer, { isGap: false }).drafts.values()]).toEqual([own])
    const passing: ChatEvent = {
      type: 'state',
      at: AT,
      data: { draft: { ...own, text: 'No', updatedAt: AT + 9 } },
    }
    expect(apply(state, passing).drafts.get(TOPIC)).toBe(own)
  })

  it('gives a page what happened while it was read', () => {
    const late = [created(11, message(2)), reacted(12, 1, BEN), deleted(13, 3)]
    const state = edited(applyAll(mergeStart(emptyState('o'), start(), { isGap: true }), late), (edit) => {
      mergeHistory(
        edit,
        { topicId: TOPIC },
        { messages: [message(1), message(3)].map(fromEvent), hasBefore: false, hasAfter: false },
        { end: 'whole' },
      )
      for (const event of late) applyContent(edit, event)
    })
    expect(shown(state)).toEqual(['Message 1', 'Message 2'])
    expect(messageOf(state, 1)?.reactions).toHaveLength(1)
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
