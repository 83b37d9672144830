import { Type } from 'typebox'
import { UUID, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { CHAT } from './chat.ts'
import { SidebarSection, sectionExample, stateExample, TopicState } from './chat-records.ts'
import { InOrganization, Name } from './common.ts'
import { BUILT_IN_SECTIONS, SECTION_ORDERS } from './section-names.ts'

const TAG = 'People: chat'

const sectionId = sectionExample.id
const SectionParams = InOrganization({ sectionId: Uuid('The section', sectionId) })
const AnySectionParams = InOrganization({
  sectionId: Type.String({
    pattern: `^(${BUILT_IN_SECTIONS.join('|')}|${UUID})$`,
    description: `${BUILT_IN_SECTIONS.join(', ')}, or a section of their own`,
    examples: [sectionId],
  }),
})
const section = { description: 'The section', schema: SidebarSection, example: sectionExample }

export const createSection = peopleOperation({
  id: 'createSection',
  method: 'POST',
  path: `${CHAT}/sections`,
  tag: TAG,
  summary: 'Make a section in the list of conversations',
  description: 'It stands below the others of theirs. `start` has all sections, in their order.',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({ name: Name(LIMITS.sectionName, 'Name of the section') }),
  bodyExample: { name: 'Customers' },
  success: { 201: section },
  refusals: ['sections_full'],
})

export const updateSection = peopleOperation({
  id: 'updateSection',
  method: 'PATCH',
  path: `${CHAT}/sections/{sectionId}`,
  tag: TAG,
  summary: 'Rename, move, fold or sort a section',
  description: 'Sections that everybody has can be folded and sorted.',
  access: 'guest',
  params: AnySectionParams,
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.sectionName, 'Name of the section')),
    folded: Type.Optional(Type.Boolean()),
    order: Type.Optional(Type.Enum(SECTION_ORDERS)),
    after: Type.Optional(
      Type.Union([Uuid('The section of theirs that it stands below'), Type.Null()], {
        description: 'Where it stands among their own; `null` puts it first',
      }),
    ),
  }),
  bodyExample: { folded: true },
  success: { 200: section },
  refusals: ['section_built_in', 'section_not_found'],
})

export const deleteSection = peopleOperation({
  id: 'deleteSection',
  method: 'DELETE',
  path: `${CHAT}/sections/{sectionId}`,
  tag: TAG,
  summary: 'Delete a section',
  description: 'Its conversations go back to where they stand by themselves.',
  access: 'guest',
  params: SectionParams,
  success: { 204: { description: 'Deleted' } },
  refusals: ['section_not_found'],
})

export const arrangeSection = peopleOperation({
  id: 'arrangeSection',
  method: 'PATCH',
  path: `${CHAT}/sections/{sectionId}/topics`,
  tag: TAG,
  summary: 'Put conversations in the order of a section, by hand',
  description:
    'The section begins with them, in this order, and is sorted by hand from then on. Those from other sections move into it; those that are left out follow by name.',
  access: 'guest',
  params: InOrganization({
    sectionId: Type.String({
      pattern: `^(favourites|topics|direct|${UUID})$`,
      description: 'favourites, topics, direct, or a section of their own',
      examples: [sectionId],
    }),
  }),
  body: Type.Object({
    topicIds: Type.Array(Uuid('A topic or direct message that they are in'), {
      minItems: 1,
      maxItems: LIMITS.arrangedTopics,
      description: `Up to ${LIMITS.arrangedTopics}; duplicates count once`,
    }),
  }),
  bodyBytes: LIMITS.jsonBodyBytes,
  bodyExample: { topicIds: ['7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11'] },
  success: {
    200: {
      description: 'How these conversations stand now',
      schema: Type.Object({ states: Type.Array(TopicState) }),
      example: { states: [{ ...stateExample, sectionId, place: 0 }] },
    },
  },
  refusals: ['section_not_found', 'topic_not_found', 'section_topic_misplaced'],
})
