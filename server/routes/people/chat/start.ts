import * as contract from '../../../../contract/people/chat.ts'
import { COUNTED_UNREAD } from '../../../../contract/people/chat-records.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import {
  presentChatMember,
  presentChatTopic,
  presentDraft,
  presentFollowedThread,
} from '../../../presenters/chat.ts'
import { logoLink } from '../../../presenters/organizations.ts'
import { presentChatTask } from '../../../presenters/tasks.ts'
import { readChatMember } from '../../../queries/members/chat-members.ts'
import { listDrafts } from '../../../queries/messages/drafts.ts'
import { countFailed } from '../../../queries/messages/scheduled-messages.ts'
import { listStreaming } from '../../../queries/messages/streamed-messages.ts'
import { listThreads } from '../../../queries/messages/threads.ts'
import { readChatOrganization } from '../../../queries/organization/chat-start.ts'
import { listCustomEmoji } from '../../../queries/organization/custom-emoji.ts'
import { listChatTopics } from '../../../queries/topics/chat-topics.ts'
import { listLabels } from '../../../queries/topics/labels.ts'
import { listMyTasks } from '../../../queries/work/task-lists.ts'
import { showStreaming } from './streaming.ts'

/** Asks for as many tasks as are counted: the list has one row more than `limit`. */
const OPEN_TASKS = {
  filters: { status: 'Open', role: 'assigned' },
  limit: COUNTED_UNREAD - 1,
} as const

export function startRoutes(people: PeopleApi): void {
  people.reads(contract.startChat, async ({ caller, parley }) => {
    const link = parley.links.for(caller)
    const { orgId: id, profileId } = caller
    const start = await parley.db.snapshot(async (db) => ({
      organization: await readChatOrganization(caller, db),
      me: await readChatMember(caller, db, profileId),
      topics: await listChatTopics(caller, db),
      drafts: await listDrafts(caller, db),
      labels: await listLabels(caller, db),
      emoji: await listCustomEmoji(caller, db),
      streaming: await listStreaming(caller, db),
      tasks: await listMyTasks(caller, db, OPEN_TASKS),
      failedLater: await countFailed(caller, db),
      threads: await listThreads(caller, db, { limit: contract.KNOWN_THREADS - 1 }),
    }))
    if (!start.me) throw new Error('a caller is a member')
    const { position, name, logoFileId, showPresence, repliesInTopics } = start.organization
    return ok({
      position,
      me: presentChatMember(start.me, parley.clock()),
      organization: {
        id,
        name,
        ...(logoFileId !== null && { logoUrl: logoLink(link, logoFileId) }),
        maxFileBytes: parley.config.maxFileBytes,
        showPresence,
        repliesInTopics,
      },
      topics: start.topics.map((topic) => presentChatTopic(topic, profileId, link)),
      drafts: start.drafts.map(presentDraft),
      labels: start.labels,
      emoji: start.emoji.map(({ name, pictureId }) => ({ name, pictureId })),
      streaming: start.streaming.map((row) => showStreaming(parley, row)),
      tasks: start.tasks.map(presentChatTask),
      threads: start.threads.map(presentFollowedThread),
      failedLater: start.failedLater,
      online: showPresence ? [...new Set([profileId, ...parley.presence.active(id)])] : [],
    })
  })
}
