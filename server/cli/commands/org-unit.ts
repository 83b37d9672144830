import { createOrgUnit } from '../../actions/members/org-units.ts'
import { OPERATOR } from '../../actions/organization/audit.ts'
import { command, optional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

const NAME_LENGTH = 100
const TAG_LENGTH = 64

export const create = command(
  {
    org: required(values.organizationId, 'The organization'),
    name: required(values.name(NAME_LENGTH), 'Name of the team or location'),
    tag: required(values.name(TAG_LENGTH), 'Its tag, for mentions; unique in the organization'),
    type: required(values.oneOf('Team', 'Location'), 'What it is'),
    members: optional(values.profileIds, 'Who belongs to it, people and bots'),
  },
  ({ org, name, tag, type, members = [] }) =>
    withInstallation('org-unit create', async ({ db }) => {
      const organization = await findOrganization(db, org)
      const { id } = await db.write(org, (tx) => createOrgUnit(tx, { name, tag, type, members }, OPERATOR))
      return {
        json: { orgUnitId: id },
        lines: [
          `Created the ${type.toLowerCase()} "${name}" of "${organization.name}".`,
          '',
          ...columns([['Org unit', id]]),
        ],
      }
    }),
)
