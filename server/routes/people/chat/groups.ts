import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/groups.ts'
import {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMembers,
  updateGroup,
} from '../../../actions/members/groups.ts'
import type { PersonCaller } from '../../../auth/sessions.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentGroup } from '../../../presenters/groups.ts'
import { readGroup } from '../../../queries/members/groups.ts'
import { previewMentions } from '../../../queries/messages/group-mentions.ts'
import { isTopicMember } from '../../../queries/messages/messages.ts'

export function groupRoutes(people: PeopleApi): void {
  people.writes(contract.createGroup, async ({ caller, tx, body }) =>
    created(await groupOf(caller, tx, await createGroup(tx, caller, body))),
  )

  people.writes(contract.updateGroup, async ({ caller, tx, params, body }) => {
    await updateGroup(tx, caller, params.groupId, body)
    return ok(await groupOf(caller, tx, params.groupId))
  })

  people.writes(contract.deleteGroup, async ({ caller, tx, params }) => {
    await deleteGroup(tx, caller, params.groupId)
    return noContent()
  })

  people.writes(contract.addGroupMembers, async ({ caller, tx, params, body }) => {
    await addGroupMembers(tx, caller, params.groupId, body.memberIds)
    return ok(await groupOf(caller, tx, params.groupId))
  })

  people.writes(contract.removeGroupMembers, async ({ caller, tx, params, body }) => {
    const before = await groupOf(caller, tx, params.groupId)
    await removeGroupMembers(tx, caller, params.groupId, body.memberIds)
    // A person who leaves may no longer see the group.
    return ok((await findGroup(caller, tx, params.groupId)) ?? { ...before, isMember: false })
  })

  people.reads(contract.previewMentions, async ({ caller, db, params, body, parley }) => {
    if (!(await isTopicMember(caller, db, params.topicId))) throw refusal('topic_not_found')
    const present = parley.presence.active(caller.orgId)
    const {
      people: count,
      byGroups,
      outsiders,
      mayMany,
    } = await previewMentions(caller, db, {
      ...body,
      topicId: params.topicId,
      present,
    })
    return ok({ people: count, outsiders, isAllowed: byGroups <= LIMITS.mentionedFreely || mayMany })
  })
}

async function findGroup(caller: PersonCaller, db: Queryable, groupId: string) {
  const group = await readGroup(caller, db, groupId)
  return group && presentGroup(group)
}

async function groupOf(caller: PersonCaller, db: Queryable, groupId: string) {
  const group = await findGroup(caller, db, groupId)
  if (!group) throw refusal('group_not_found')
  return group
}
