import { OperatorError } from '../../errors.ts'
import { longCommand, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

export const move = longCommand(
  {
    org: required(values.organizationId, 'The organization'),
    to: required(values.text(300, 'HOST:PORT'), 'The machine, as `parley status` names it'),
  },
  ({ org, to: machine }, work) => {
    const run = async ({ db }: Installation) => {
      const { name } = await findOrganization(db, org)
      if (!db.isSpread)
        throw new OperatorError(
          'Organizations of this database are all on one machine. `parley migrate --distributed` spreads them over several.',
        )
      const { moveOrganization } = await import('../../db/move.ts')
      const { from, to } = await moveOrganization(db.config, org, machine, work)
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
    }
    return withInstallation('org move', run, work)
  },
  { resume: 'The organization is where it was, or in its own group. The same command goes on.' },
)
