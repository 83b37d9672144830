import { LIMITS } from '../../../contract/limits.ts'
import { checkMembers, createTopic } from '../../actions/topics/topics.ts'
import { OperatorError } from '../../errors.ts'
import { command, optional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

export const create = command(
  {
    org: required(values.organizationId, 'The organization'),
    name: optional(values.name(LIMITS.topicName), 'Name of the topic; a direct message needs none'),
    members: required(values.profileIds, 'Who is in it, people and bots; the first one creates it'),
    type: optional(values.oneOf('topic', 'dm'), 'A topic (the default), or a direct message of two'),
    announcement: optional(values.trueOrFalse, 'true: only admins and bots write there'),
  },
  ({ org, name, members, type = 'topic', announcement = false }) =>
    withInstallation('topic create', async ({ db }) => {
      const organization = await findOrganization(db, org)
      const [createdBy = '', ...others] = members
      if (type === 'dm' && others.length !== 1)
        throw new OperatorError('A direct message has two members: --members A,B.')
      if (type === 'topic' && name === undefined)
        throw new OperatorError('A topic needs a name: --name TEXT.')
      const { id } = await db.write(org, async (tx) => {
        await checkMembers(tx, [...new Set(members)]) // the first one too: a command has no authenticated caller
        return createTopic(tx, { createdBy, members: others, name: name ?? '', type, announcement })
      })
      return {
        json: { topicId: id },
        lines: [
          `Created ${type === 'dm' ? 'a direct message' : `"${name}"`} in "${organization.name}".`,
          '',
          ...columns([['Topic', id]]),
        ],
      }
    }),
)
