import type { ChatTopic, SidebarSection } from '../../../../contract/people/chat-records.ts'
import { BUILT_IN_SECTIONS } from '../../../../contract/people/section-names.ts'
import type { ChatState } from '../model.ts'
import type { StateEdit } from './state-edit.ts'

/** The section with this id; those that everybody has are there before the server was asked. */
export const sectionOf = (sections: ChatState['sections'], id: string): SidebarSection =>
  sections.find((section) => section.id === id) ?? {
    id,
    folded: false,
    order: id === 'direct' ? 'recent' : 'name',
  }

/** The id of the section in which a conversation stands. */
export function sectionIdOf(
  { type, favourite, sectionId }: ChatTopic,
  sections: ChatState['sections'],
): string {
  if (sectionId !== undefined && sections.some(({ id }) => id === sectionId)) return sectionId
  if (favourite) return 'favourites'
  return type === 'dm' ? 'direct' : 'topics'
}

/** Puts a section in its place: behind the one that is named, at the top of their own (null), or where it is. */
export function withSection(
  sections: ChatState['sections'],
  section: SidebarSection,
  after?: string | null,
): ChatState['sections'] {
  const at = sections.findIndex(({ id }) => id === section.id)
  if (after === undefined && at >= 0) return sections.with(at, section)
  const others = sections.filter(({ id }) => id !== section.id)
  if (after === undefined) return [...others, section]
  const above =
    after === null
      ? others.findLastIndex(({ id }) => BUILT_IN_SECTIONS.some((one) => one === id))
      : others.findIndex(({ id }) => id === after)
  return others.toSpliced(above + 1, 0, section)
}

export function withoutSection(edit: StateEdit, sectionId: string): void {
  edit.sections = edit.sections.filter(({ id }) => id !== sectionId)
  for (const topic of edit.topics.result.values())
    if (topic.sectionId === sectionId) standsIn(edit, topic.id, 'topics')
}

/** Moves a conversation to a section; every id of a section that everybody has, but for favourites, leads to its own place. */
export function standsIn(edit: StateEdit, topicId: string, sectionId: string, place?: number): void {
  const known = edit.topics.get(topicId)
  if (!known) return
  const { sectionId: _section, place: _place, ...topic } = known
  const isOwn = !BUILT_IN_SECTIONS.some((id) => id === sectionId)
  edit.topics.set(topicId, {
    ...topic,
    favourite: sectionId === 'favourites',
    ...(isOwn && { sectionId }),
    ...(place !== undefined && { place }),
  })
}

/** Whether a conversation can stand in a section: topics and direct messages have a place of their own each. */
export const mayStandIn = ({ type }: ChatTopic, sectionId: string): boolean =>
  sectionId !== (type === 'dm' ? 'topics' : 'direct')

/**
 * The beginning of a section's order once a conversation has moved to this place: as much of it as was ordered by hand, and
 * reaches the place.
 */
export function arranged(topics: readonly ChatTopic[], topicId: string, index: number): string[] {
  const others = topics.filter(({ id }) => id !== topicId)
  const placed = others.findLastIndex(({ place }) => place !== undefined) + 1
  const ids = others.map(({ id }) => id).toSpliced(index, 0, topicId)
  return ids.slice(0, Math.max(placed + 1, index + 1))
}
