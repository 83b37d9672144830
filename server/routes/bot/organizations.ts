import * as contract from '../../../contract/organizations.ts'
import { type AgentSignup, isAddressTaken, signUpAgent } from '../../actions/organization/organizations.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { SIGN_UP } from '../../files/images/images.ts'
import { storePicture } from '../../files/receive.ts'
import { created } from '../../http/answers.ts'
import type { BotApi, Visitor } from '../../http/bot-api.ts'
import { isLocalServer, isLocalVisitor } from '../../http/local.ts'
import { Attempts } from '../../limits/attempts.ts'
import { DAY_MS, readBudget, takeFromBudget } from '../../limits/budget.ts'
import { networkKey } from '../../network/address.ts'
import type { Parley } from '../../parley.ts'
import { readSignupAccess } from '../../queries/organization/installation.ts'

export function organizationRoutes(bots: BotApi): void {
  bots.anyone(
    contract.createOrganization,
    { admission: admitSignup, judge: refuseTaken },
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

async function signUp(
  tx: OpenTransaction,
  parley: Pick<Parley, 'clock' | 'config' | 'secrets'>,
  address: string,
  wanted: AgentSignup,
) {
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

/**
 * Limits a caller of whom only an address is known, before the body is read. Every attempt counts, in this node's
 * memory; the budget of accepted sign-ups is checked here and spent in the transaction. A request that can only get an
 * earlier answer again passes.
 */
function admitSignup({
  config,
  db,
  clock,
}: Pick<Parley, 'clock' | 'config' | 'db'>): (visitor: Visitor) => Promise<void> {
  const attempts = new Attempts(config.agentSignupAttemptsPerMinute, clock)
  return async ({ request, address, hasKeptAnswer }) => {
    const access = await readSignupAccess(db, config)
    const isLocal = isLocalServer(config) && isLocalVisitor(request)
    if (access === 'nobody' || (access === 'this machine' && !isLocal)) throw refusal('not_found')
    if (config.agentSignupPerMinute === 0 || (await hasKeptAnswer())) return
    const network = networkKey(address)
    const wait = attempts.waitFor(network)
    if (wait > 0) throw tooMany(wait)
    attempts.failed(network)
    const { left, endsAt } = await readBudget(db, clock, budgetOf(address), config.agentSignupPerMinute)
    if (left === 0) throw tooMany(endsAt - clock())
  }
}

/** Undone with the transaction, so that only accepted requests count. Two at once wait for each other here. */
async function spendSignup(
  tx: OpenTransaction,
  { config, clock }: Pick<Parley, 'clock' | 'config'>,
  address: string,
): Promise<void> {
  if (config.agentSignupPerMinute === 0) return
  const { granted, endsAt } = await takeFromBudget(tx, clock, budgetOf(address), config.agentSignupPerMinute)
  if (granted === 0) throw tooMany(endsAt - clock())
  if (config.agentSignupsPerDay === 0) return
  const today = await takeFromBudget(tx, clock, 'signups', config.agentSignupsPerDay, 1, DAY_MS)
  if (today.granted === 0) throw tooMany(today.endsAt - clock())
}

/**
 * Refuses an address that has an account, and counts the try as a sign-up. Unlimited tries would reveal who has one.
 */
async function refuseTaken(
  { db, config, clock }: Pick<Parley, 'clock' | 'config' | 'db'>,
  { humanEmail }: Pick<AgentSignup, 'humanEmail'>,
  address: string,
): Promise<void> {
  if (config.agentSignupPerMinute === 0 || !(await isAddressTaken(db, humanEmail))) return
  const { granted, endsAt } = await takeFromBudget(db, clock, budgetOf(address), config.agentSignupPerMinute)
  throw granted === 0 ? tooMany(endsAt - clock()) : refusal('organization_not_created')
}
