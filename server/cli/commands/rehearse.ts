import { LIMITS } from '../../../contract/limits.ts'
import { isAdminRole } from '../../../contract/operation.ts'
import { OPERATOR } from '../../actions/organization/audit.ts'
import { startRehearsal } from '../../actions/rehearsals/rehearsals.ts'
import { sql } from '../../db/sql.ts'
import { OperatorError } from '../../errors.ts'
import { command, optional, required } from '../command.ts'
import { findBot } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns, SHOWN_ONCE } from '../output.ts'
import * as values from '../values.ts'

export const rehearse = command(
  {
    bot: required(values.botId, 'The bot'),
    member: required(values.memberId, 'The admin in whose name: it hears the topics that they are in'),
    name: optional(values.name(LIMITS.rehearsalName), 'What is rehearsed'),
    days: optional(values.oneOf('1', '2', '3', '4', '5', '6', '7'), 'How far back; the default is 7'),
  },
  ({ bot: botId, member, name, days }) =>
    withInstallation('bot rehearse', async ({ config, db }) => {
      const bot = await findBot(db, botId)
      const [admin] = await db.query<{ name: string; role: 'owner' | 'admin' | 'member' | 'guest' }>(sql`
        select name, role from profiles
        where org_id = ${bot.orgId} and id = ${member} and kind = 'user' and status = 'Active'`)
      if (!admin || !isAdminRole(admin.role))
        throw new OperatorError(`--member ${member} is no active admin or owner of the bot's organization.`)
      const { id, token } = await db.write(bot.orgId, (tx) =>
        startRehearsal(tx, OPERATOR, { profileId: member }, botId, {
          name,
          ...(days !== undefined && { days: Number(days) }),
        }),
      )
      return {
        json: { rehearsalId: id, url: config.baseUrl, token },
        lines: [
          `Began a rehearsal of "${bot.name}". Run the new version with:`,
          '',
          ...columns([
            ['PARLEY_URL', config.baseUrl],
            ['PARLEY_REHEARSAL', token],
          ]),
          '',
          `${SHOWN_ONCE} It works for ${LIMITS.rehearsalHours} hours.`,
          `${admin.name} finds the comparison in the console, with the bot, under Rehearsals.`,
        ],
      }
    }),
)
