import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageTask } from '../contract/message.ts'
import type { ChatTask } from '../contract/people/card-records.ts'
import type { TopicState } from '../contract/people/chat-records.ts'
import type { ChatState, Outgoing } from '../web/src/chat/model.ts'
import { apply, applyAll, emptyState } from '../web/src/chat/store/apply.ts'
import { applyContent, fromEvent, mergeHistory } from '../web/src/chat/store/content.ts'
import { moveRead, moveUnread, putStates } from '../web/src/chat/store/directory.ts'
import type { ChatEvent } from '../web/src/chat/store/events.ts'
import { dropArrived, putOutgoing, settleOutgoing } from '../web/src/chat/store/outgoing.ts'
import {
  conversationItems,
  openTaskCount,
  sidebarSections,
  unreadThreads,
  unreadTotal,
} from '../web/src/chat/store/selectors.ts'
import { mergeStart } from '../web/src/chat/store/start.ts'
import { edited } from '../web/src/chat/store/state-edit.ts'
import { readReplies } from '../web/src/chat/store/threads.ts'
import {
  ADA,
  AT,
  BEN,
  created,
  deleted,
  idOf,
  message,
  messageOf,
  OTHER,
  reacted,
  ready,
  shown,
  start,
  TOPIC,
  topic,
  topicOf,
} from './support/chat-events.ts'

describe('what was sent here', () => {
  const item: Outgoing = { localId: 'local', topicId: TOPIC, text: 'Hello', createdAt: AT, state: 'queued' }
  const answer = { id: idOf(7), createdAt: AT + 7 }
  const event = created(11, message(7, { senderId: ADA, text: 'Hello', externalId: 'local' }))
  const page = {
    messages: [fromEvent(event.type === 'message.created' ? event.data.message : message(0))],
    hasBefore: false,
    hasAfter: false,
    polls: [],
    tasks: [],
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
        // The key stays the same: the row is never removed and added again.
        expect([...keys]).toEqual(['local'])
        if (order.some((name) => name !== 'sending')) expect(state.outbox).toEqual([])
        expect(topicOf(state).unread).toBe(0)
      }),
    )
  })

  it('does not vanish for another sender’s message with the same externalId', () => {
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
        {
          topicId: TOPIC,
          readTo: idOf(1),
          unreadAfter: idOf(1),
          lateReadTo: null,
          unread: 2,
          mentions: 0,
          muted: true,
          favourite: false,
          level: 'nothing',
        },
      ])
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(3), unread: 0, muted: true, level: 'nothing' })
  })

  it('count once what the server has counted before its event came', () => {
    const muted: TopicState = {
      topicId: TOPIC,
      readTo: null,
      unreadAfter: idOf(0),
      lateReadTo: null,
      unread: 4,
      mentions: 0,
      muted: true,
      favourite: false,
      level: 'mentions',
    }
    const state = edited(
      applyAll(ready(), [created(11, message(1)), created(12, message(2)), created(13, message(3))]),
      (edit) => putStates(edit, [muted]),
    )
    expect(topicOf(state)).toMatchObject({ unread: 3, muted: true })
    expect(topicOf(apply(state, created(14, message(4))))).toMatchObject({ unread: 4 })
  })

  it('of another browser count here', () => {
    const state = apply(unread(), {
      type: 'state',
      at: AT,
      data: {
        states: [
          {
            topicId: TOPIC,
            readTo: idOf(3),
            unreadAfter: idOf(3),
            lateReadTo: null,
            unread: 0,
            mentions: 0,
            muted: false,
            favourite: true,
            level: 'everything',
          },
        ],
      },
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(3), unread: 0, favourite: true })
    expect(sidebarSections(state).unread).toEqual([])
  })

  it('hide a muted topic from the unread ones, unless a message mentions the person', () => {
    const state = applyAll(ready([], { topics: [topic(TOPIC, { muted: true })] }), [created(11, message(1))])
    expect(topicOf(state).unread).toBe(1)
    expect(sidebarSections(state).unread).toEqual([])
    const mentioned = apply(state, created(12, message(2, { mentionedProfiles: [ADA] })))
    expect(sidebarSections(mentioned).unread).toHaveLength(1)
  })
})

describe('unread threads', () => {
  const reply = (position: number, changes = {}, isShown = false): ChatEvent => {
    const said = message(position, { parentId: idOf(3), ...changes })
    const data = { message: said, truncated: false, ...(!isShown && { threadOnly: true as const }) }
    return { type: 'message.created', position, data }
  }
  const thread = { parentId: idOf(3), topicId: TOPIC, lastReplyId: idOf(5), readTo: idOf(5) }
  const followed = { ...thread, unread: 0, unreadInTopic: 0, mentions: 0 }
  const known = (changes = {}) =>
    mergeStart(ready(), start({ threads: [{ ...followed, ...changes }] }), { isGap: false })
  const counts = (state: ChatState, ...events: ChatEvent[]) => unreadThreads(applyAll(state, events))
  const passed = (change: object): ChatEvent => ({
    type: 'state',
    data: { thread: { ...followed, following: true, ...change } },
    at: AT,
  })

  it('are counted by thread, and their replies neither in the topic nor as its last message', () => {
    expect(counts(known(), reply(11), reply(12))).toBe(1)
    expect(counts(known({ unread: 2 }))).toBe(1)
    expect(counts(ready(), reply(11)), 'a thread of others').toBe(0)
    expect(counts(ready(), reply(11, { senderId: ADA })), 'what one says oneself').toBe(0)
    expect(counts(ready(), reply(11, { senderId: ADA }), reply(12))).toBe(1)
    const state = applyAll(known(), [reply(11, { mentionedProfiles: [ADA] })])
    expect(topicOf(state)).toMatchObject({ unread: topicOf(known()).unread, mentions: 0 })
    expect(topicOf(state).lastMessage).toEqual(topicOf(known()).lastMessage)
    expect(unreadTotal(state).mentions).toBe(1)
    expect(counts(ready(), passed({ unread: 1, isTold: true })), 'told by the server').toBe(1)
    expect(
      applyAll(known(), [reply(11), passed({ unread: 1, isTold: true })]).threads.get(idOf(3))?.unread,
    ).toBe(1)
  })

  it('are read by themselves, in any browser, and disappear with their message', () => {
    const state = applyAll(known(), [reply(11)])
    expect(unreadThreads(edited(state, (edit) => moveRead(edit, TOPIC, idOf(11))))).toBe(1)
    expect(unreadThreads(edited(state, (edit) => readReplies(edit, idOf(3), idOf(11))))).toBe(1)
    expect(counts(state, passed({ readTo: idOf(11) }))).toBe(0)
    expect(counts(state, passed({ readTo: idOf(11) }), reply(12))).toBe(1)
    expect(counts(state, passed({ following: false }), reply(12))).toBe(0)
    expect(counts(state, deleted(12, 11, BEN, idOf(3)))).toBe(0)
    expect(counts(state, deleted(12, 3))).toBe(0)
    expect(counts(state, { type: 'state', data: { threadsRead: true }, at: AT })).toBe(0)
  })

  it('that their topic shows are read with it', () => {
    const state = applyAll(known(), [reply(11, {}, true)])
    expect(topicOf(state).unread).toBe(topicOf(known()).unread + 1)
    expect(unreadThreads(state)).toBe(1)
    expect(unreadThreads(edited(state, (edit) => moveRead(edit, TOPIC, idOf(11))))).toBe(0)
  })
})

describe('a start that is read again', () => {
  it('keeps the events since then, and does not count known ones twice', () => {
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

  it('counts the open tasks of the reader, as events and later starts tell of them', () => {
    const task = (number: number, changes: Partial<ChatTask> = {}): ChatTask => ({
      id: idOf(number),
      topicId: TOPIC,
      title: `Task ${number}`,
      description: '',
      status: 'Open',
      assignee: ADA,
      dueDate: 0,
      isDueDateTimeSelected: false,
      index: number,
      subItemsCount: 0,
      createdBy: BEN,
      createdAt: AT,
      updatedAt: AT,
      ...changes,
    })
    const told = (
      position: number,
      number: number,
      changes: Partial<ChatTask>,
      action: MessageTask['action'] = 'MarkedAsDone',
    ) => {
      const { description: text, ...rest } = task(number, changes)
      const card = { ...rest, text, parentId: '', action }
      return created(position, message(position, { type: 'task', isSystem: true, task: card }))
    }
    let state = ready([], { tasks: [task(1), task(2), task(3, { topicId: OTHER })] })
    expect(openTaskCount(state)).toBe(3)
    state = applyAll(state, [
      told(11, 1, { status: 'Done' }),
      told(12, 2, { assignee: BEN }),
      told(13, 4, {}, 'Added'),
    ])
    expect(openTaskCount(state)).toBe(2)
    expect(openTaskCount(applyAll(state, [told(13, 4, {}, 'Added')]))).toBe(2) // told twice
    expect(openTaskCount(apply(state, told(14, 4, {}, 'Deleted')))).toBe(1)
    // A tab that was away learns of it by the next start; events during that read count too.
    const later = start({ position: 20, tasks: [task(3, { topicId: OTHER }), task(5)] })
    const recent = [told(21, 6, {}, 'Added')]
    expect(openTaskCount(mergeStart(applyAll(state, recent), later, { isGap: true, recent }))).toBe(3)
    // Tasks of a topic that they have left are no longer theirs.
    expect(openTaskCount(mergeStart(state, { ...later, topics: [topic(TOPIC)] }, { isGap: true }))).toBe(1)
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
    const ephemeral: ChatEvent = {
      type: 'state',
      at: AT,
      data: { draft: { ...own, text: 'No', updatedAt: AT + 9 } },
    }
    expect(apply(state, ephemeral).drafts.get(TOPIC)).toBe(own)
  })

  it('gives a page what happened while it was read', () => {
    const late = [created(11, message(2)), reacted(12, 1, BEN), deleted(13, 3)]
    const state = edited(applyAll(mergeStart(emptyState('o'), start(), { isGap: true }), late), (edit) => {
      mergeHistory(
        edit,
        { topicId: TOPIC },
        {
          messages: [message(1), message(3)].map((one) => fromEvent(one)),
          hasBefore: false,
          hasAfter: false,
          polls: [],
          tasks: [],
        },
        { end: 'whole' },
      )
      for (const event of late) applyContent(edit, event)
    })
    expect(shown(state)).toEqual(['Message 1', 'Message 2'])
    expect(messageOf(state, 1)?.reactions).toHaveLength(1)
  })
})

/** Files are processed first: message 2 was sent before 3 and appears after it. */
describe('a message that appears after newer ones', () => {
  const attachments = [{ id: 'a', type: 'file' as const, url: '', contentType: 'text/plain', size: 1 }]
  const late = message(2, { appearedId: idOf(4), attachments, mentionedProfiles: [ADA] })
  const read = () => edited(ready([message(1), message(3)]), (edit) => moveRead(edit, TOPIC, idOf(3)))

  it('is unread for people who have read on, and has its place of sending', () => {
    const state = apply(read(), created(11, late))
    expect(topicOf(state)).toMatchObject({ readTo: idOf(3), unread: 1, mentions: 1 })
    expect(shown(state)).toEqual(['Message 1', 'Message 2', 'Message 3'])
    const seen = edited(state, (edit) => moveRead(edit, TOPIC, idOf(2)))
    expect(topicOf(seen)).toMatchObject({ readTo: idOf(3), lateReadTo: idOf(4), unread: 0, mentions: 0 })
  })

  it('leaves unread what was sent after it and not seen', () => {
    const state = edited(ready([message(1), late, message(3)]), (edit) => {
      moveRead(edit, TOPIC, idOf(2))
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(2), lateReadTo: idOf(4), unread: 1 })
  })

  it('is read with a message that was sent after it had appeared', () => {
    const state = edited(ready([message(1), late, message(3), message(5)]), (edit) => {
      moveRead(edit, TOPIC, idOf(5))
    })
    expect(topicOf(state)).toMatchObject({ readTo: idOf(5), unread: 0 })
  })

  it('stays unread when the topic is muted, and read when another browser has shown it', () => {
    const own = { muted: true, favourite: false, level: 'mentions' as const }
    const position = { topicId: TOPIC, readTo: idOf(3), unreadAfter: idOf(3), ...own }
    const told = (states: Parameters<typeof putStates>[1]) =>
      topicOf(edited(apply(read(), created(11, late)), (edit) => putStates(edit, states)))
    expect(told([{ ...position, lateReadTo: null, unread: 1, mentions: 1 }])).toMatchObject({ unread: 1 })
    expect(told([{ ...position, lateReadTo: idOf(4), unread: 0, mentions: 0 }])).toMatchObject({ unread: 0 })
  })
})
