import { SIZE_RANGES } from '../../../contract/organizations.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { refusal, tooMany } from '../../errors.ts'
import { keepFiles } from '../../files/files.ts'
import { newUuid } from '../../ids.ts'
import { waitForMailTo } from '../../limits/address-mails.ts'
import type { Parley } from '../../parley.ts'
import { emailKey, nameFrom } from '../../text.ts'
import { createStaticBot } from '../bots/bots.ts'
import { inviteMember } from '../members/invitations.ts'
import { addPerson } from '../members/members.ts'
import { createTopic } from '../topics/topics.ts'
import { type Actor, audit, changesBetween } from './audit.ts'

export const sizeRangeOf = (companySize: number): string =>
  SIZE_RANGES.find(([largest]) => companySize <= largest)?.[1] ?? '1-10'

/** Makes a new, empty organization, and enters it. */
export async function foundOrganization(
  open: OpenTransaction,
  { name, sizeRange = '1-10', industry = '' }: { name: string; sizeRange?: string; industry?: string },
): Promise<Transaction> {
  const orgId = newUuid()
  const now = open.now()
  await open.query(sql`
    with organization as (
      insert into organizations (org_id, name, size_range, industry, created_at, updated_at)
      values (${orgId}, ${name}, ${sizeRange}, ${industry}, ${now}, ${now})
    )
    insert into organization_logs (org_id) values (${orgId})`)
  return open.enter(orgId)
}

/** Notes the creation of the organization and of its first bot. */
export async function auditFounding(
  tx: Transaction,
  actor: Actor,
  name: string,
  bot: { id: string; name: string },
): Promise<void> {
  const target = { type: 'organization', id: tx.orgId, name } as const
  await audit(tx, actor, { action: 'organization.created', target })
  await audit(tx, actor, { action: 'bot.created', target: { type: 'bot', ...bot } })
}

export type AgentSignup = {
  companyName: string
  humanEmail: string
  companySize: number
  industry: string
  botName: string
  /** A file in the store, kept once the organization refers to it. */
  logoFileId?: string | undefined
}

export const UNABLE_TO_CREATE = 'Unable to create organization'

export async function isAddressTaken(db: Queryable, email: string): Promise<boolean> {
  const [known] = await db.query(sql`select 1 from accounts where email_key = ${emailKey(email)}`)
  return known !== undefined
}

/** An AI agent's sign-up: an organization with its bot, a person to be invited, and a topic of the two. */
export async function signUpAgent(
  open: OpenTransaction,
  parley: Pick<Parley, 'config' | 'secrets'>,
  signup: AgentSignup,
) {
  const email = emailKey(signup.humanEmail)
  // Two agents that name the same person wait for each other; the second finds the account of the first.
  await open.query(sql`select pg_advisory_xact_lock(hashtextextended(${email}, 3))`)
  if (await isAddressTaken(open, email)) throw refusal('organization_not_created')

  const tx = await foundOrganization(open, {
    name: signup.companyName,
    sizeRange: sizeRangeOf(signup.companySize),
    industry: signup.industry,
  })
  if (signup.logoFileId !== undefined) await setLogo(tx, signup.logoFileId)
  const bot = await createStaticBot(tx, parley.secrets, {
    name: signup.botName,
    permission: 'write',
    delivery: 'polling',
  })
  const name = nameFrom(signup.humanEmail)
  const person = { email: signup.humanEmail, name, role: 'owner', status: 'Pending' } as const
  const humanProfileId = await addPerson(tx, person)
  const topic = await createTopic(tx, {
    createdBy: bot.botId,
    name: 'Control',
    members: [humanProfileId],
    open: true,
    joinedByDefault: true,
  })
  const wait = await waitForMailTo(tx, parley.secrets, signup.humanEmail, 'invitation')
  if (wait > 0) throw tooMany(wait)
  await inviteMember(tx, parley, humanProfileId)
  const actor: Actor = { kind: 'bot', id: bot.botId }
  await auditFounding(tx, actor, signup.companyName, { id: bot.botId, name: signup.botName })
  await audit(tx, actor, {
    action: 'member.invited',
    target: { type: 'member', id: humanProfileId, name },
    changes: changesBetween({}, { email: signup.humanEmail, role: 'owner' }),
  })
  return { organizationId: tx.orgId, humanProfileId, topicId: topic.id, ...bot }
}

async function setLogo(tx: Transaction, fileId: string): Promise<void> {
  await keepFiles(tx, [fileId])
  await tx.query(sql`update organizations set logo_file_id = ${fileId} where org_id = ${tx.orgId}`)
}
