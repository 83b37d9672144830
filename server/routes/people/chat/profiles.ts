import * as contract from '../../../../contract/people/profiles.ts'
import { changeCover, changePhoto, updateOwnProfile } from '../../../actions/members/profiles.ts'
import { type Caller, isGuest } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { storePicture } from '../../../files/receive.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { onlyAsForm, type PeopleApi } from '../../../http/people-api.ts'
import { presentBotFacts, presentChatMember, presentChatTopic } from '../../../presenters/chat.ts'
import { readChatMember } from '../../../queries/members/chat-members.ts'
import { readBotFacts } from '../../../queries/members/profiles.ts'
import { readChatTopic } from '../../../queries/topics/chat-topics.ts'

/** Serves profiles of people and bots, and pictures. */
export function profileRoutes(people: PeopleApi): void {
  people.reads(contract.readMemberProfile, async ({ caller, db, params, parley }) => {
    const member = await show(caller, db, params.memberId.toLowerCase(), parley.clock())
    const facts = member.type === 'bot' ? await readBotFacts(caller, db, member.id) : undefined
    if (!facts) return ok(member)
    const { prompts, ...bot } = facts
    // Guests learn nothing of a bot's owner, rights and other topics.
    return ok({ ...member, prompts, ...(!isGuest(caller) && { bot: presentBotFacts(bot) }) })
  })

  people.writes(contract.updateOwnProfile, async ({ caller, tx, body }) => {
    await updateOwnProfile(tx, caller, body)
    return ok(await show(caller, tx, caller.profileId, tx.now()))
  })

  people.writes(contract.setPhoto, onlyAsForm, {
    prepare: async ({ caller, files: [photo], parley }) => {
      const stored = await storePicture(parley, caller.orgId, 'cover', photo)
      return { fileId: stored[0]?.id, stored }
    },
    handler: async ({ caller, tx, prepared: { fileId } }) => {
      if (fileId === undefined) throw new Error('the photo could not be stored')
      await changePhoto(tx, caller, fileId)
      return ok(await show(caller, tx, caller.profileId, tx.now()))
    },
  })

  people.writes(contract.removePhoto, async ({ caller, tx }) => {
    await changePhoto(tx, caller, undefined)
    return noContent()
  })

  people.writes(contract.setTopicCover, onlyAsForm, {
    prepare: async ({ caller, files: [cover], parley }) => {
      const stored = await storePicture(parley, caller.orgId, 'cover', cover)
      return { fileId: stored[0]?.id, stored }
    },
    handler: async ({ caller, tx, params, parley, prepared: { fileId } }) => {
      if (fileId === undefined) throw new Error('the cover could not be stored')
      await changeCover(tx, caller, params.topicId, fileId)
      const topic = await readChatTopic(caller, tx, params.topicId)
      if (!topic) throw refusal('topic_not_found')
      return ok(presentChatTopic(topic, caller.profileId, parley.links.for(caller)))
    },
  })

  people.writes(contract.removeTopicCover, async ({ caller, tx, params }) => {
    await changeCover(tx, caller, params.topicId, undefined)
    return noContent()
  })
}

async function show(caller: Caller, db: Queryable, memberId: string, now: number) {
  const member = await readChatMember(caller, db, memberId)
  if (!member) throw refusal('member_not_found')
  return presentChatMember(member, now)
}
