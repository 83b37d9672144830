import { OperatorError } from '../../errors.ts'
import { command, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

export const move = command(
  {
    org: required(values.organizationId, 'The organization'),
    to: required(values.text(300, 'HOST:PORT'), 'The machine, as `parley status` names it'),
  },
  ({ org, to: machine }) =>
    withInstallation('org move', async ({ db }) => {
      const { name } = await findOrganization(db, org)
      if (!db.isSpread)
        throw new OperatorError(
          'Organizations of this database are all on one machine. `parley migrate --distributed` spreads them over several.',
        )
      const { moveOrganization } = await import('../../db/move.ts')
      const { from, to } = await moveOrganization(db.config, org, machine)
      return {
        json: { organizationId: org, from: from.machine, to: to.machine },
        lines: [
          `The organization "${name}" is in a group of its own.`,
          '',
          ...columns([
            ['Organization', org],
            ['Was on', from.machine],
            ['Is on', to.machine],
          ]),
        ],
      }
    }),
)
