import { LIMITS } from '../../../../contract/limits.ts'
import type { AnswerOf, QueryOf } from '../../../../contract/operation.ts'
import * as contract from '../../../../contract/people/chat.ts'
import { COUNTED_UNREAD, KNOWN_MEMBERS } from '../../../../contract/people/chat-records.ts'
import type { PersonCaller } from '../../../auth/sessions.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import {
  presentChatMember,
  presentChatTopic,
  presentDraft,
  presentFollowedThread,
  presentSection,
} from '../../../presenters/chat.ts'
import { logoLink } from '../../../presenters/organizations.ts'
import { presentChatTask } from '../../../presenters/tasks.ts'
import { readChatMember } from '../../../queries/members/chat-members.ts'
import { hasMoreMembersThan, readChatMembers } from '../../../queries/members/found-members.ts'
import { listDrafts } from '../../../queries/messages/drafts.ts'
import { countFailed } from '../../../queries/messages/scheduled-messages.ts'
import { listStreaming } from '../../../queries/messages/streamed-messages.ts'
import { listThreads } from '../../../queries/messages/threads.ts'
import { listFirstTopicIds, readChatOrganization } from '../../../queries/organization/chat-start.ts'
import { listCustomEmoji } from '../../../queries/organization/custom-emoji.ts'
import {
  type ChatTopicRow,
  findOwnTopicIds,
  listOwnTopicIds,
  type OpenTopicPosition,
  type OwnTopicPosition,
  readChatTopics,
} from '../../../queries/topics/chat-topics.ts'
import { listLabels } from '../../../queries/topics/labels.ts'
import { listSections } from '../../../queries/topics/sections.ts'
import { listMyTasks } from '../../../queries/work/task-lists.ts'
import { showStreaming } from './streaming.ts'

type Start = Extract<AnswerOf<typeof contract.startChat>, { body: unknown }>['body']
type Bounded = (typeof contract.START_LISTS)[number] | 'members'

/** Bytes of each list. Together with the organization, the caller and who is there they stay below `START_BYTES`. */
const LIST_BYTES: Record<Bounded, number> = {
  topics: 30_000,
  members: 20_000,
  threads: 8000,
  emoji: 8000,
  drafts: 6000,
  tasks: 6000,
  labels: 4000,
  streaming: 4000,
}

/** Asks for as many tasks as are counted: the list has one row more than `limit`. */
const OPEN_TASKS = {
  filters: { status: 'Open', role: 'assigned' },
  limit: COUNTED_UNREAD - 1,
} as const

export function startRoutes(people: PeopleApi): void {
  people.reads(contract.startChat, async ({ caller, query, parley }) => {
    const link = parley.links.for(caller)
    const { orgId: id, profileId } = caller
    const start = await parley.db.snapshot((db) => readStart(caller, db, query.topicId))
    if (!start.me) throw new Error('a caller is a member')
    const { position, name, logoFileId, showPresence, repliesInTopics } = start.organization
    const { membersCreateTopics, membersInviteGuests, editMinutes } = start.organization
    const more: Start['more'] = start.isWhole ? [] : ['topics', 'drafts']
    const fitting = <Item>(list: Bounded, items: readonly Item[]): Item[] => {
      const fit = itemsWithin(LIST_BYTES[list], items)
      if (fit.length < items.length && list !== 'members' && !more.includes(list)) more.push(list)
      return fit
    }
    const now = parley.clock()
    const members = fitting(
      'members',
      start.members.map((member) => presentChatMember(member, now)),
    )
    const others = start.manyMembers
      ? parley.presence.activeAmong(
          id,
          members.map((member) => member.id),
        )
      : parley.presence.active(id)
    return ok({
      position,
      me: presentChatMember(start.me, now),
      organization: {
        id,
        name,
        ...(logoFileId !== null && { logoUrl: logoLink(link, logoFileId) }),
        maxFileBytes: parley.config.maxFileBytes,
        showPresence,
        repliesInTopics,
        membersCreateTopics,
        membersInviteGuests,
        ...(editMinutes !== null && { editMinutes }),
      },
      topics: fitting(
        'topics',
        start.topics.map((topic) => presentChatTopic(topic, profileId, link)),
      ),
      members,
      manyMembers: start.manyMembers,
      sections: start.sections.map(presentSection),
      drafts: fitting('drafts', start.drafts.map(presentDraft)),
      labels: fitting('labels', start.labels),
      emoji: fitting(
        'emoji',
        start.emoji.map(({ name, pictureId }) => ({ name, pictureId })),
      ),
      streaming: fitting(
        'streaming',
        start.streaming.map((row) => showStreaming(parley, row)),
      ),
      tasks: fitting('tasks', start.tasks.map(presentChatTask)),
      threads: fitting('threads', start.threads.map(presentFollowedThread)),
      failedLater: start.failedLater,
      online: showPresence ? [...new Set([profileId, ...others])] : [],
      more,
    })
  })

  people.reads(contract.listChatTopics, async ({ caller, query, parley }) => {
    const page = await parley.db.snapshot(async (db) => {
      const { ids, nextCursor } = await (query.search === undefined ? listIds : findIds)(
        parley,
        caller,
        db,
        query,
      )
      const topics = inOrder(await readChatTopics(caller, db, ids), ids)
      return {
        nextCursor,
        topics,
        ...(await readWith(caller, db, topics)),
        position: (await readChatOrganization(caller, db)).position,
      }
    })
    return ok({
      position: page.position,
      topics: page.topics.map((topic) => presentChatTopic(topic, caller.profileId, parley.links.for(caller))),
      drafts: page.drafts.map(presentDraft),
      members: page.members.map((member) => presentChatMember(member, parley.clock())),
      ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
      hasMore: page.nextCursor !== undefined,
    })
  })
}

/** Statements that need nothing of each other go out together: a connection that waits for many answers is missing elsewhere. */
async function readStart(caller: PersonCaller, db: Queryable, openedId: string | undefined) {
  const readConversations = async () => {
    const { ids, isWhole } = await listFirstTopicIds(caller, db, openedId)
    const topics = inOrder(await readChatTopics(caller, db, ids), ids)
    return { isWhole, topics, members: await readChatMembers(caller, db, membersOf(topics)) }
  }
  const { conversations, ...beside } = await allOf({
    conversations: readConversations(),
    organization: readChatOrganization(caller, db),
    me: readChatMember(caller, db, caller.profileId),
    manyMembers: hasMoreMembersThan(caller, db, KNOWN_MEMBERS),
    sections: listSections(caller, db),
    drafts: listDrafts(caller, db),
    labels: listLabels(caller, db),
    emoji: listCustomEmoji(caller, db),
    streaming: listStreaming(caller, db),
    tasks: listMyTasks(caller, db, OPEN_TASKS),
    failedLater: countFailed(caller, db),
    threads: listThreads(caller, db, { limit: contract.KNOWN_THREADS - 1 }),
  })
  return { ...conversations, ...beside }
}

/** Waits for all of them, each under its name. */
async function allOf<Reads extends Record<string, Promise<unknown>>>(reads: Reads) {
  const results = Object.entries(reads).map(async ([name, read]) => [name, await read] as const)
  return Object.fromEntries(await Promise.all(results)) as { [Name in keyof Reads]: Awaited<Reads[Name]> }
}

type ListQuery = QueryOf<typeof contract.listChatTopics> & object
type IdPage = { ids: string[]; nextCursor: string | undefined }

async function listIds(
  { secrets }: Pick<Parley, 'secrets'>,
  caller: Caller,
  db: Queryable,
  { limit = LIMITS.pageDefault, cursor }: ListQuery,
): Promise<IdPage> {
  const list = cursors<null, OwnTopicPosition>(secrets, caller, 'chat-topics')
  const place = cursor === undefined ? {} : list.read(cursor)
  const { items, last } = cutPage(await listOwnTopicIds(caller, db, { ...place, limit }), limit)
  return {
    ids: items.map(({ topic_id }) => topic_id),
    nextCursor: last && list.write({ filters: null, after: [last.created_at, last.topic_id] }),
  }
}

async function findIds(
  { secrets }: Pick<Parley, 'secrets'>,
  caller: Caller,
  db: Queryable,
  { limit = LIMITS.pageDefault, cursor, search = '' }: ListQuery,
): Promise<IdPage> {
  const list = cursors<string, OpenTopicPosition>(secrets, caller, 'found-chat-topics')
  const { filters, ...after } = cursor === undefined ? { filters: search } : list.read(cursor)
  const rows = await findOwnTopicIds(caller, db, { ...after, search: filters, limit })
  const { items, last } = cutPage(rows, limit)
  return {
    ids: items.map(({ topic_id }) => topic_id),
    nextCursor: last && list.write({ filters, after: [last.name_key, last.topic_id] }),
  }
}

async function readWith(caller: Caller, db: Queryable, topics: readonly ChatTopicRow[]) {
  return {
    drafts: await listDrafts(
      caller,
      db,
      topics.map(({ id }) => id),
    ),
    members: await readChatMembers(caller, db, membersOf(topics)),
  }
}

const MAX_NAMED = 100

/** Members whom a list of conversations shows: of direct messages, the latest senders, the first of a topic. */
function membersOf(topics: readonly ChatTopicRow[]): string[] {
  const direct = topics.flatMap(({ type, member_ids }) => (type === 'dm' ? member_ids : []))
  const senders = topics.flatMap(({ last_id, last_sender_id }) => (last_id === null ? [] : [last_sender_id]))
  const [first] = topics
  return [...new Set([...(first?.member_ids ?? []), ...direct, ...senders])].slice(0, MAX_NAMED)
}

function inOrder(rows: readonly ChatTopicRow[], ids: readonly string[]): ChatTopicRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The items whose JSON fits together, in their order; one that is too long by itself is left out. */
function itemsWithin<Item>(bytes: number, items: readonly Item[]): Item[] {
  let left = bytes
  return items.filter((item) => {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (size > left) return false
    left -= size
    return true
  })
}
