import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import type { OpenTransaction, Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { randomToken, sha256 } from '../../ids.ts'
import { findAccountByEmail } from '../../queries/accounts/accounts.ts'
import {
  AGENT_SIGNUP,
  BASE_URL,
  HOME_ORGANIZATION,
  readHome,
  readSetting,
} from '../../queries/organization/installation.ts'
import { equalInConstantTime, type Secrets } from '../../secrets.ts'
import { acceptHolder } from '../accounts/accounts.ts'
import { setPassword } from '../accounts/passwords.ts'
import { createStaticBot } from '../bots/bots.ts'
import { addPerson } from '../members/members.ts'
import { createFirstTopic, FIRST_TOPIC } from '../topics/chat-topics.ts'
import { type Actor, audit, changesBetween } from './audit.ts'
import { auditFounding, foundOrganization } from './organizations.ts'

const TOKEN_BITS = 192
const SETUP_LINK = 'setup_link_hash'

/** Stores the server's address for commands, because the server may run on another PORT. */
export async function rememberBaseUrl(open: OpenTransaction, baseUrl: string): Promise<void> {
  await keepSetting(open, BASE_URL, baseUrl)
}

/**
 * A new token for the set-up link, in place of the one before; undefined once an operator has set the server up, even
 * if others have signed up. Only its hash is kept. The token stands behind a `#`, which browsers do not send, so it
 * reaches no log and no proxy.
 */
export async function renewSetupToken(open: OpenTransaction): Promise<string | undefined> {
  if ((await readHome(open)) !== undefined) {
    await endSetupLink(open)
    return undefined
  }
  const token = randomToken(TOKEN_BITS)
  await keepSetting(open, SETUP_LINK, hashOf(token))
  return token
}

/** Whether this is the token of the set-up link; whether it still is one, only the transaction that uses it can say. */
export async function isSetupToken(db: Queryable, token: string): Promise<boolean> {
  const link = await readSetting(db, SETUP_LINK)
  return link !== undefined && equalInConstantTime(hashOf(token), link)
}

export type FirstSetup = {
  organizationName: string
  adminName: string
  adminEmail: string
  /** A hash from `hashPassword`. */
  password: string
  botName: string
  /** Whether agents may create organizations; undefined: as the server was started, or only from this machine. */
  agentSignup: boolean | undefined
}

/** Everything a new team needs, once: the organization, its owner, a bot, and a topic of the two. */
export async function setUpFirstOrganization(
  open: OpenTransaction,
  secrets: Secrets,
  token: string,
  setup: FirstSetup,
) {
  // The lock on this row lets one through; the others find the row gone.
  await open.query(sql`select 1 from settings where name = ${SETUP_LINK} for update`)
  const isRight = await isSetupToken(open, token)
  if (!isRight || (await readHome(open)) !== undefined) throw refusal('link_not_valid')

  const tx = await foundOrganization(open, { name: setup.organizationName })
  await makeHome(tx)
  if (setup.agentSignup !== undefined) await keepSetting(tx, AGENT_SIGNUP, setup.agentSignup ? 'on' : 'off')
  const ownerId = await addPerson(tx, {
    name: setup.adminName,
    email: setup.adminEmail,
    role: 'owner',
    status: 'Active',
  })
  const account = await findAccountByEmail(tx, setup.adminEmail)
  if (!account) throw new Error(`member ${ownerId} has no account`)
  // Agents may have signed up before. A person who was only invited by one gets a password here; an account in use has its own.
  if (account.canSignIn) throw refusal('email_has_account')
  await setPassword(tx, account.id, setup.password)
  // The link is the operator's, who could read any mail of this server.
  await acceptHolder(tx, account.id)
  const bot = await createStaticBot(tx, secrets, {
    name: setup.botName,
    permission: 'write',
    delivery: 'polling',
  })
  // The first topic belongs to the owner, who decides on it; people invited later are in it from the start.
  const topic = await createFirstTopic(tx, ownerId, [bot.botId])
  const owner: Actor = { kind: 'person', id: ownerId }
  await auditFounding(tx, owner, setup.organizationName, { id: bot.botId, name: setup.botName })
  await audit(tx, owner, {
    action: 'member.added',
    target: { type: 'member', id: ownerId, name: setup.adminName },
    changes: changesBetween({}, { email: setup.adminEmail, role: 'owner' }),
  })
  return {
    organizationId: tx.orgId,
    accountId: account.id,
    ownerId,
    topicId: topic.id,
    topicName: FIRST_TOPIC,
    ...bot,
  }
}

/** The server has been set up: from here on this is its home organization, and the set-up link does not work. */
export async function makeHome(tx: Transaction): Promise<void> {
  await endSetupLink(tx)
  await keepSetting(tx, HOME_ORGANIZATION, tx.orgId)
}

/** Makes the first organization that an operator creates the home organization. Returns whether this one is. */
export async function makeHomeIfFirst(tx: Transaction): Promise<boolean> {
  await endSetupLink(tx)
  await tx.query(sql`
    insert into settings (name, value) values (${HOME_ORGANIZATION}, ${tx.orgId}) on conflict (name) do nothing`)
  return (await readHome(tx)) === tx.orgId
}

async function endSetupLink(open: OpenTransaction): Promise<void> {
  await open.query(sql`delete from settings where name = ${SETUP_LINK}`)
}

const hashOf = (token: string) => sha256(token).toString('hex')

async function keepSetting(open: OpenTransaction, name: string, value: string): Promise<void> {
  await open.query(sql`
    insert into settings (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`)
}
