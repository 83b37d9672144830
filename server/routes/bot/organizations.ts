import * as contract from '../../../contract/organizations.ts'
import { type AgentSignup, signUpAgent } from '../../actions/organizations.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { notFound, tooMany } from '../../errors.ts'
import { SIGN_UP } from '../../files/images/images.ts'
import { storePicture } from '../../files/receive.ts'
import { networkKey } from '../../http/address.ts'
import { created } from '../../http/answers.ts'
import type { BotApi } from '../../http/bot-api.ts'
import { readBudget, takeFromBudget } from '../../limits/budget.ts'
import type { Parley } from '../../parley.ts'
import { isSignupOpen } from '../../queries/installation.ts'

export function organizationRoutes(bots: BotApi): void {
  bots.anyone(
    contract.createOrganization,
    admitSignup,
    async ({ tx, body, parley, address }) => signUp(tx, parley, address, body),
    {
      prepare: async ({ files: [logo], parley }) => {
        const stored = await storePicture(parley, SIGN_UP, 'logo', logo)
        return { logoId: stored[0]?.id, stored }
      },
      handler: ({ tx, meta, parley, address, prepared: { logoId } }) =>
        signUp(tx, parley, address, { ...meta, logoFileId: logoId }),
    },
  )
}

async function signUp(tx: OpenTransaction, parley: Parley, address: string, wanted: AgentSignup) {
  await spendSignup(tx, parley, address)
  const signup = await signUpAgent(tx, parley, wanted)
  return created({
    organizationId: signup.organizationId,
    botProfileId: signup.botId,
    channelId: signup.topicId,
    humanProfileId: signup.humanProfileId,
    credentials: { apiKey: signup.apiKey, apiSecret: signup.apiSecret, controlTopicId: signup.topicId },
  })
}

const budgetOf = (address: string) => `signup:${networkKey(address)}`

/** Whoever can only be given an earlier answer again is let through: that costs no budget. */
async function admitSignup(
  { config, db, clock }: Parley,
  address: string,
  isRepeatable: boolean,
): Promise<void> {
  if (!(await isSignupOpen(db, config))) throw notFound('not found')
  if (config.agentSignupPerMinute === 0 || isRepeatable) return
  const { left, endsAt } = await readBudget(db, clock, budgetOf(address), config.agentSignupPerMinute)
  if (left === 0) throw tooMany(endsAt - clock())
}

/** Undone with the transaction, so that only accepted requests count. Two at once wait for each other here. */
async function spendSignup(tx: OpenTransaction, { config, clock }: Parley, address: string): Promise<void> {
  if (config.agentSignupPerMinute === 0) return
  const { granted, endsAt } = await takeFromBudget(tx, clock, budgetOf(address), config.agentSignupPerMinute)
  if (granted === 0) throw tooMany(endsAt - clock())
}
