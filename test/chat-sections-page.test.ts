import { describe, expect, it } from 'vitest'
import type { ChatTopic, SidebarSection } from '../contract/people/chat-records.ts'
import { apply } from '../web/src/chat/store/apply.ts'
import { arranged, standsIn, withoutSection, withSection } from '../web/src/chat/store/sections.ts'
import { sidebarSections, topicsIn } from '../web/src/chat/store/selectors.ts'
import { mergeStart } from '../web/src/chat/store/start.ts'
import { edited } from '../web/src/chat/store/state-edit.ts'
import { AT, OTHER, ready, start, TOPIC, topic, topicOf } from './support/chat-events.ts'

const BUILT_IN: SidebarSection[] = [
  { id: 'unread', folded: false, order: 'recent' },
  { id: 'favourites', folded: false, order: 'name' },
  { id: 'topics', folded: false, order: 'name' },
  { id: 'direct', folded: false, order: 'recent' },
]
const WORK: SidebarSection = { id: 'work', name: 'Work', folded: false, order: 'name' }
const HOME: SidebarSection = { id: 'home', name: 'Home', folded: false, order: 'name' }
const idsOf = (sections: readonly SidebarSection[]) => sections.map(({ id }) => id)

describe('sections of a page', () => {
  it('keep their order, and take one where it is put', () => {
    const sections = [...BUILT_IN, WORK, HOME]
    expect(idsOf(withSection(sections, HOME, null)).slice(4)).toEqual(['home', 'work'])
    expect(idsOf(withSection(sections, WORK, 'home')).slice(4)).toEqual(['home', 'work'])
    expect(idsOf(withSection(sections, { ...WORK, id: 'new' })).slice(4)).toEqual(['work', 'home', 'new'])
    expect(withSection(sections, { ...WORK, folded: true })[4]).toEqual({ ...WORK, folded: true })
  })

  it('hold each conversation once, also of a section that is not known here', () => {
    let state = edited(ready(), (edit) => {
      edit.sections = [...BUILT_IN, WORK]
      standsIn(edit, TOPIC, 'work')
    })
    expect(topicsIn(state, 'work').map(({ id }) => id)).toEqual([TOPIC])
    expect(topicsIn(state, 'topics').map(({ id }) => id)).toEqual([OTHER])
    expect(sidebarSections(state).groups.map(({ section }) => section.id)).toEqual([
      'favourites',
      'work',
      'topics',
      'direct',
    ])
    state = edited(state, (edit) => standsIn(edit, TOPIC, 'favourites', 3))
    expect(topicOf(state)).toMatchObject({ favourite: true, place: 3 })
    expect(topicOf(state)).not.toHaveProperty('sectionId')
    state = edited(state, (edit) => standsIn(edit, TOPIC, 'gone'))
    expect(topicsIn(state, 'topics').map(({ id }) => id)).toContain(TOPIC)
    state = edited(state, (edit) => standsIn(edit, TOPIC, 'work'))
    state = edited(state, (edit) => withoutSection(edit, 'work'))
    expect(topicOf(state)).not.toHaveProperty('sectionId')
    expect(idsOf(state.sections)).toEqual(idsOf(BUILT_IN))
  })

  it('follow what another browser did, and what a start says', () => {
    const { readTo, unreadAfter, lateReadTo, unread, mentions, muted, level } = topicOf(ready())
    const told = { readTo, unreadAfter, lateReadTo, unread, mentions, muted, level, topicId: TOPIC }
    let state = apply(ready(), {
      type: 'state',
      data: {
        states: [{ ...told, favourite: false, sectionId: 'work', place: 0 }],
        sections: [...BUILT_IN, WORK],
      },
      at: AT,
    })
    expect(topicOf(state)).toMatchObject({ sectionId: 'work', place: 0 })
    state = apply(state, { type: 'state', data: { states: [{ ...told, favourite: true }] }, at: AT })
    expect(topicOf(state)).not.toHaveProperty('sectionId')
    expect(topicOf(state)).not.toHaveProperty('place')
    state = mergeStart(state, { ...start({ position: 20 }), sections: [...BUILT_IN, HOME] }, { isGap: true })
    expect(idsOf(state.sections)).toEqual([...idsOf(BUILT_IN), 'home'])
  })

  it('are sorted by name, by the latest message, and by hand with the rest by name', () => {
    const names = ['Team 10', 'Team 9', 'Alpha', 'Beta']
    const topics = names.map((name, at): ChatTopic => ({ ...topic(name), name, createdAt: at }))
    const sorted = (order: SidebarSection['order'], places: Record<string, number> = {}) => {
      const state = edited(ready(), (edit) => {
        edit.sections = [...BUILT_IN, { ...WORK, order }]
        edit.topics.replace(
          new Map(
            topics.map(({ lastMessage: _, ...one }) => {
              const place = places[one.id]
              return [
                one.id,
                { ...one, lastMessage: null, sectionId: 'work', ...(place !== undefined && { place }) },
              ]
            }),
          ),
        )
      })
      return topicsIn(state, 'work').map(({ id }) => id)
    }
    expect(sorted('name')).toEqual(['Alpha', 'Beta', 'Team 9', 'Team 10'])
    expect(sorted('recent')).toEqual(['Beta', 'Alpha', 'Team 9', 'Team 10'])
    expect(sorted('hand')).toEqual(['Alpha', 'Beta', 'Team 9', 'Team 10'])
    expect(sorted('hand', { 'Team 10': 0, Beta: 1 })).toEqual(['Team 10', 'Beta', 'Alpha', 'Team 9'])
    expect(sorted('name', { 'Team 10': 0 })).toEqual(['Alpha', 'Beta', 'Team 9', 'Team 10'])
  })

  it('tell the server as much of their order as was made by hand', () => {
    const list = (...ids: string[]) => ids.map((id) => topic(id))
    expect(arranged(list('a', 'b', 'c', 'd'), 'c', 0)).toEqual(['c'])
    expect(arranged(list('a', 'b', 'c', 'd'), 'a', 2)).toEqual(['b', 'c', 'a'])
    const placed = list('a', 'b', 'c', 'd').map((one, place) => (place < 3 ? { ...one, place } : one))
    expect(arranged(placed, 'c', 0)).toEqual(['c', 'a', 'b'])
    expect(arranged(placed, 'new', 1)).toEqual(['a', 'new', 'b', 'c'])
    expect(arranged(placed, 'd', 3)).toEqual(['a', 'b', 'c', 'd'])
  })
})
