import { describe, expect, it } from 'vitest'
import type { ChatMember } from '../contract/people/chat-records.ts'
import type { ChatState } from '../web/src/chat/model.ts'
import { apply, emptyState, mergeMembers } from '../web/src/chat/store/apply.ts'
import { askingFor } from '../web/src/chat/store/asking.ts'
import type { ChatEvent } from '../web/src/chat/store/events.ts'
import { endTopics, mergeStart, mergeTopics } from '../web/src/chat/store/start.ts'
import { ADA, AT, BEN, created, member, message, OTHER, start, TOPIC, topic } from './support/chat-events.ts'

/** Pages of an organization with too many members and topics to know them all. */

const CLEO = '00000000-0000-4000-8000-00000000000c'
const many = (): ChatState =>
  mergeStart(
    emptyState('o'),
    start({
      topics: [topic(TOPIC)],
      members: [member(BEN, 'Ben')],
      manyMembers: true,
      more: ['topics', 'drafts'],
      online: [ADA],
    }),
    { isGap: true },
  )
const updated = (one: ChatMember): ChatEvent => ({
  type: 'member.updated',
  position: 11,
  data: { member: one },
})
const present = (profileId: string, online: boolean): ChatEvent => ({
  type: 'presence',
  at: AT,
  data: { profileId, online },
})
const page = (changes: Partial<Parameters<typeof mergeTopics>[1]> = {}) => ({
  position: 12,
  topics: [topic(TOPIC), topic(OTHER)],
  drafts: [],
  members: [member(CLEO, 'Cleo')],
  ...changes,
})

describe('members of whom only some are known', () => {
  it('change where they are known, and are no matter where they are not', () => {
    const state = many()
    expect(apply(state, updated(member(BEN, 'Benno'))).members.get(BEN)?.name).toBe('Benno')
    const after = apply(state, updated(member(CLEO, 'Cleo')))
    expect(after.members).toBe(state.members)
    expect(apply(state, present(CLEO, true)).online).toBe(state.online)
    expect(apply(state, present(BEN, true)).online).toEqual(new Set([ADA, BEN]))
  })

  it('take their state with them when they are read', () => {
    const here = mergeMembers(
      apply(many(), present(BEN, true)),
      [member(BEN, 'Ben'), member(CLEO, 'Cleo')],
      [CLEO],
    )
    expect(here.online).toEqual(new Set([ADA, CLEO]))
  })

  it('are asked for where a view looks them up, others never', () => {
    const asked: string[] = []
    const view = askingFor((id) => asked.push(id))
    const state = many()
    expect(view(state).members.get(BEN)?.name).toBe('Ben')
    expect(view(state).members.get(CLEO)).toBeUndefined()
    expect(asked).toEqual([CLEO])
    expect(view(state), 'the same state gives the same view').toBe(view(state))
    const later = apply(state, created(11, message(1)))
    expect(view(later).members, 'members that did not change are the same').toBe(view(later).members)
    const small = mergeStart(emptyState('o'), start(), { isGap: true })
    expect(view(small)).toBe(small)
  })
})

describe('topics that come page by page', () => {
  it('are added to those of the start, with what happened since', () => {
    const said = { ...message(1), topicId: OTHER }
    const state = mergeTopics(many(), page(), [created(12, message(2)), created(13, said)])
    expect(state.topics.get(OTHER)?.unread).toBe(1)
    expect(state.topics.get(TOPIC)?.unread, 'the page has what came before it').toBe(0)
    expect(state.members.get(CLEO)?.name).toBe('Cleo')
    expect(state.hasAllTopics).toBe(false)
  })

  it('keep those that did not change as they are', () => {
    const state = many()
    expect(mergeTopics(state, page({ topics: [topic(TOPIC)], members: [] })).topics).toBe(state.topics)
  })

  it('forget those that were left elsewhere, once all are listed', () => {
    const GONE = '10000000-0000-4000-8000-000000000003'
    const NEW = '10000000-0000-4000-8000-000000000004'
    const draft = { topicId: TOPIC, text: 'Hello', updatedAt: AT }
    const kept: ChatState = {
      ...many(),
      topics: new Map([TOPIC, GONE].map((id) => [id, topic(id)])),
      drafts: new Map([[TOPIC, draft]]),
    }
    const again = mergeStart(
      kept,
      start({ topics: [topic(TOPIC)], manyMembers: true, more: ['topics', 'drafts'] }),
      {
        isGap: true,
      },
    )
    expect(again.topics.has(GONE), 'it may be on a page').toBe(true)
    expect(again.drafts.has(TOPIC)).toBe(true)
    const joined = { ...again, topics: new Map([...again.topics, [NEW, topic(NEW)]]) }
    const listed = endTopics(joined, again, { topicIds: [TOPIC], draftKeys: [] })
    expect([...listed.topics.keys()]).toEqual([TOPIC, NEW])
    expect(listed.drafts.has(TOPIC)).toBe(false)
    expect(listed.hasAllTopics).toBe(true)
    const written = { ...again, drafts: new Map([[TOPIC, { ...draft, text: 'Hello again' }]]) }
    expect(endTopics(written, again, { topicIds: [TOPIC], draftKeys: [] }).drafts.has(TOPIC)).toBe(true)
  })
})
