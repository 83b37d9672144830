import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Text, Uuid } from './common.ts'
import { LIMITS } from './limits.ts'
import { Message } from './message.ts'
import { messageExample } from './messages.ts'
import { operation } from './operation.ts'

/** The part of a message with a text. */
export const SEARCH_SOURCES = [
  'text',
  'file',
  'fileText',
  'transcription',
  'task',
  'poll',
  'location',
  'contact',
] as const
export type SearchSource = (typeof SEARCH_SOURCES)[number]

export const SEARCH_ORDERS = ['newest', 'best'] as const
export type SearchOrder = (typeof SEARCH_ORDERS)[number]

/** Names of filters, before their colon. */
export const SEARCH_OPERATORS = [
  'from',
  'in',
  'mentions',
  'to',
  'has',
  'is',
  'before',
  'after',
  'on',
  'during',
] as const
/** Values of `has:` in a search. */
export const SEARCHED_THINGS = [
  'file',
  'image',
  'video',
  'voice',
  'link',
  'task',
  'poll',
  'reaction',
  'pin',
] as const
/** Values of `is:` in a search. */
export const SEARCHED_STATES = ['thread'] as const

/** Kinds of results. */
export const SEARCH_KINDS = ['messages', 'files', 'tasks', 'members', 'topics'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

const Parts = Type.Array(
  Type.Object({
    text: Type.String(),
    hit: Type.Boolean({ description: 'Whether this part is what was searched for' }),
  }),
  { description: 'Plain text in pieces: put together they are the text, and nothing in them is markup' },
)
export type SearchParts = Static<typeof Parts>

export const SearchResult = Type.Object({
  message: Message,
  topic: Type.Object({
    id: Uuid('The topic'),
    type: Type.Enum(['topic', 'dm']),
    name: Type.String({
      description: 'The name of the topic; of a direct message, the names of its other members',
    }),
  }),
  excerpts: Type.Array(
    Type.Object({
      source: Type.Enum(SEARCH_SOURCES, { description: 'The text itself, or what else belongs to it' }),
      parts: Parts,
    }),
    { description: 'The passage that was found; the beginning of the text if only filters were given' },
  ),
})
export type SearchResult = Static<typeof SearchResult>

export const TopicResult = Type.Object({
  id: Uuid('The topic'),
  name: Parts,
  description: Parts,
})
export const MemberResult = Type.Object({
  id: ProfileId(),
  type: Type.Enum(['user', 'bot']),
  name: Parts,
})

export const Correction = Type.Object({
  word: Type.String({ description: 'A word of the search that hardly occurs' }),
  instead: Type.Array(Type.String(), { description: 'Words in the results that are one letter away' }),
})

const example: SearchResult = {
  message: messageExample,
  topic: { id: messageExample.topicId, type: 'topic', name: 'Releases' },
  excerpts: [
    {
      source: 'text',
      parts: [
        { text: 'The ', hit: false },
        { text: 'release', hit: true },
        { text: ' is out.', hit: false },
      ],
    },
  ],
}

export const search = operation({
  id: 'search',
  method: 'GET',
  path: '/v2/search',
  tag: 'Search',
  summary: 'Search messages, files, tasks, topics and members',
  description:
    'Finds only what the caller may see. All words must be found, in any order, also in other forms; the last one may be the beginning of a word. `"several words"` are found exactly. `-word` or `NOT word` excludes, and `OR` between two words or filters takes either. Filters: `from:`, `in:` and `mentions:` with a name, an id or `me`, `has:` with a kind, `is:thread`, `before:`, `after:`, `on:` and `during:` with a day, a month or a year. A message can be found about a second after it was sent, and the text inside a file within a minute.',
  scope: 'search:read',
  query: Type.Object({
    ...PageQuery,
    q: Text(LIMITS.searchQuery, 'Words, phrases and filters', {
      examples: ['release notes from:ada has:file'],
    }),
    order: Type.Optional(
      Type.Enum(SEARCH_ORDERS, {
        default: 'newest',
        description: `\`best\` ranks the newest ${LIMITS.searchRanked} that were found`,
      }),
    ),
    kind: Type.Optional(
      Type.Enum(SEARCH_KINDS, {
        default: 'messages',
        description:
          'What is listed: all messages, those with files, those that tell of tasks, or, by their names alone, `members` or `topics`, which are not looked for in messages',
      }),
    ),
    timeZone: Type.Optional(
      Type.String({
        maxLength: LIMITS.timeZone,
        default: 'UTC',
        description: 'The time zone in which the days of `before:`, `after:`, `on:` and `during:` begin',
        examples: ['Europe/Berlin'],
      }),
    ),
  }),
  success: {
    200: {
      description: 'A page of messages, and on the first page topics and members',
      schema: Type.Object({
        ...Page('results', SearchResult).properties,
        topics: Type.Array(TopicResult, {
          description: `Topics by name and description: at most ${LIMITS.searchNames} on the first page of a search without filters, all of them with \`kind=topics\``,
        }),
        members: Type.Array(MemberResult, {
          description: `People and bots by name: at most ${LIMITS.searchNames} on the first page of a search without filters, all of them with \`kind=members\``,
        }),
        corrections: Type.Array(Correction, {
          description:
            'Words that were probably misspelled; messages with those instead are among the results',
        }),
        isComplete: Type.Boolean({
          description:
            'False while older messages are being prepared for search; newer ones are found already',
        }),
      }),
      example: {
        results: [example],
        hasMore: false,
        topics: [{ id: messageExample.topicId, name: [{ text: 'Releases', hit: true }], description: [] }],
        members: [],
        corrections: [],
        isComplete: true,
      },
    },
  },
  refusals: [
    'cursor_invalid',
    'field_required.q',
    'search_kind_unknown',
    'search_state_unknown',
    'search_operator_unknown.from',
    'search_day_invalid',
    'search_period_combined',
    'search_too_long',
    'field_invalid.timeZone',
  ],
})
