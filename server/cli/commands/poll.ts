import { closePoll } from '../../actions/work/polls.ts'
import { command, required } from '../command.ts'
import { findPoll } from '../find.ts'
import { withInstallation } from '../installation.ts'
import * as values from '../values.ts'

export const close = command({ poll: required(values.pollId, 'The poll') }, ({ poll }) =>
  withInstallation('poll close', async ({ db }) => {
    const { orgId, question } = await findPoll(db, poll)
    await db.write(orgId, (tx) => closePoll(tx, poll))
    return { json: { pollId: poll, status: 'closed' }, lines: [`"${question}" takes no more votes.`] }
  }),
)
