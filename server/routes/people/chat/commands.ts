import * as contract from '../../../../contract/people/commands.ts'
import { sendCommand } from '../../../actions/bots/commands.ts'
import { refusal } from '../../../errors.ts'
import { created, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { listTopicCommands } from '../../../queries/bots/commands.ts'
import { isTopicMember } from '../../../queries/messages/messages.ts'

export function commandRoutes(people: PeopleApi): void {
  people.reads(contract.listTopicCommands, async ({ caller, db, params }) => {
    if (!(await isTopicMember(caller, db, params.topicId))) throw refusal('topic_not_found')
    return ok({ commands: await listTopicCommands(caller, db, params.topicId) })
  })

  people.writes(contract.sendCommandForm, async ({ caller, tx, params, body }) =>
    created(await sendCommand(tx, caller, { ...body, topicId: params.topicId })),
  )
}
