import { LIMITS } from '../../../contract/limits.ts'
import { auditAccount, enterMemberships } from '../../actions/accounts/account-audit.ts'
import { acceptHolder } from '../../actions/accounts/accounts.ts'
import { resetSecondFactor } from '../../actions/accounts/second-factors.ts'
import { INVITATION_DAYS, inviteMember } from '../../actions/members/invitations.ts'
import { addPerson, type NewPerson, setMemberStatus } from '../../actions/members/members.ts'
import { requirePerson } from '../../actions/members/people.ts'
import { audit, changesBetween, OPERATOR } from '../../actions/organization/audit.ts'
import { OperatorError, Refusal } from '../../errors.ts'
import { findAccount } from '../../queries/accounts/accounts.ts'
import { type CommandOutput, command, longCommand, optional, required } from '../command.ts'
import { findOrganization, findPerson } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { deliverMail } from '../mail.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

const PHONE_LENGTH = 32
const PATH_LENGTH = 4096
const EXTERNAL_ID_LENGTH = 100

export const add = command(
  {
    org: required(values.organizationId, 'The organization'),
    name: required(values.name(LIMITS.profileName), 'Name of the person'),
    email: required(values.email, 'Their address'),
    phone: optional(values.text(PHONE_LENGTH), 'Their phone number'),
    'external-id': optional(values.text(EXTERNAL_ID_LENGTH), 'Their id in another system'),
    status: optional(
      values.oneOf('Pending', 'Active'),
      'Pending (the default) invites them; Active does not',
    ),
  },
  ({ org, name, email, phone, 'external-id': externalId, status = 'Pending' }) =>
    withInstallation('member add', async (installation) => {
      const organization = await findOrganization(installation.db, org)
      const person = {
        name,
        email,
        status,
        ...(phone !== undefined && { phone }),
        ...(externalId !== undefined && { externalId }),
      }
      const added = await addAndInvite(installation, org, person)
      return describeAdded(installation, organization.name, person, added)
    }),
)

type Added = { profileId: string; inviteUrl?: string }

async function addAndInvite(
  installation: Installation,
  orgId: string,
  person: NewPerson & { name: string },
): Promise<Added> {
  return installation.db.write(orgId, async (tx) => {
    const profileId = await addPerson(tx, person).catch((error: unknown) => {
      // The only refusal here.
      if (!(error instanceof Refusal)) throw error
      throw new OperatorError(
        `${person.email} already belongs to a member of this organization. Use another address; \`parley member set\` changes the member that is there.`,
      )
    })
    const isActive = person.status === 'Active'
    const inviteUrl = isActive ? undefined : await inviteMember(tx, installation, profileId)
    await audit(tx, OPERATOR, {
      action: isActive ? 'member.added' : 'member.invited',
      target: { type: 'member', id: profileId, name: person.name },
      changes: changesBetween({}, { email: person.email, role: 'member' }),
    })
    return { profileId, ...(inviteUrl !== undefined && { inviteUrl }) }
  })
}

async function describeAdded(
  installation: Installation,
  organization: string,
  { name, email, status }: NewPerson,
  added: Added,
): Promise<CommandOutput> {
  const head = [`Added ${name} to "${organization}".`, '']
  const member: [string, string] = ['Member', `${added.profileId} (${status.toLowerCase()})`]
  if (added.inviteUrl === undefined) return { json: added, lines: [...head, ...columns([member])] }
  const mailed = await deliverMail(installation, email)
  return {
    json: added,
    lines: [
      ...head,
      ...columns([member, ['Invitation', added.inviteUrl]]),
      '',
      `The invitation works once, for ${INVITATION_DAYS} days. ${mailed}`,
    ],
  }
}

export const resetSecondFactorOf = command(
  {
    org: required(values.organizationId, 'The organization'),
    member: required(values.memberId, 'The person'),
  },
  ({ org, member }) =>
    withInstallation('member reset-second-factor', async (installation) => {
      const { name, accountId, email } = await findPerson(installation.db, org, member)
      await installation.db.transaction(async (open) => {
        const memberships = await enterMemberships(open, accountId)
        await resetSecondFactor(open, installation, { id: accountId, email }).catch((error: unknown) => {
          // The only refusal here.
          if (!(error instanceof Refusal)) throw error
          throw new OperatorError(`${name} has no second factor: there is nothing to reset.`)
        })
        await auditAccount(memberships, { actor: OPERATOR }, { action: 'member.second_factor_reset' })
      })
      await deliverMail(installation, email)
      return {
        json: { profileId: member },
        lines: [
          `${name} has no second factor any more and is signed out everywhere. A mail to ${email} says so.`,
        ],
      }
    }),
)

export const vouch = command(
  {
    org: required(values.organizationId, 'The organization'),
    member: required(values.memberId, 'The person'),
  },
  ({ org, member }) =>
    withInstallation('member vouch', async ({ db }) => {
      const { name, accountId, email } = await findPerson(db, org, member)
      await db.transaction(async (open) => {
        const memberships = await enterMemberships(open, accountId)
        const account = await findAccount(open, accountId)
        if (!account?.canSignIn)
          throw new OperatorError(
            `${email} has no password or other way to sign in yet. Vouch for them once they have, since anybody could set the first password: an invitation link leads there.`,
          )
        await acceptHolder(open, accountId)
        await auditAccount(memberships, { actor: OPERATOR }, { action: 'member.address_vouched' })
      })
      return {
        json: { profileId: member },
        lines: [
          `Whoever signs in as ${email} now is taken for ${name}: the account opens all organizations that it is an active member of.`,
        ],
      }
    }),
)

const ACTIONS = {
  Active: 'member.activated',
  Archived: 'member.archived',
  Deleted: 'member.deleted',
} as const

export const set = command(
  {
    org: required(values.organizationId, 'The organization'),
    member: required(values.memberId, 'The person'),
    status: required(values.oneOf('Active', 'Archived', 'Deleted'), 'Their new state'),
  },
  ({ org, member, status }) =>
    withInstallation('member set', async ({ db }) => {
      const { name, status: before } = await findPerson(db, org, member)
      await db.write(org, async (tx) => {
        await setMemberStatus(tx, member, status)
        const changes = changesBetween({ status: before }, { status })
        if (changes.length === 0) return
        const target = { type: 'member', id: member, name } as const
        await audit(tx, OPERATOR, { action: ACTIONS[status], target, changes })
      })
      return { json: { profileId: member, status }, lines: [`${name} is now ${status.toLowerCase()}.`] }
    }),
)

export const exportData = longCommand(
  {
    org: required(values.organizationId, 'The organization'),
    member: required(values.memberId, 'The person'),
    to: optional(
      values.text(PATH_LENGTH, 'FILE'),
      'The file; without it, MEMBER.jsonl in the current folder',
    ),
  },
  ({ org, member, to = `${member}.jsonl` }, work) => {
    const run = async ({ db }: Installation) => {
      const { name } = await findPerson(db, org, member)
      const [{ readPersonData }, { open, rename, rm }] = await Promise.all([
        import('../../export/person.ts'),
        import('node:fs/promises'),
      ])
      const draft = `${to}.partial`
      const file = await open(draft, 'w', 0o600)
      const target = { type: 'member', id: member, name } as const
      await db.write(org, (tx) => audit(tx, OPERATOR, { action: 'member.data_read', target }))
      let records = 0
      work.begin('Records')
      try {
        let place: Awaited<ReturnType<typeof readPersonData>>['next']
        do {
          const page = await readPersonData(db, { orgId: org, profileId: member }, place, LIMITS.heldPage)
          await file.write(page.lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
          records += page.lines.length
          work.advance(page.lines.length)
          place = page.next
        } while (place)
        await rename(draft, to)
      } finally {
        await file.close()
        await rm(draft, { force: true })
      }
      return {
        json: { profileId: member, path: to, records },
        lines: [
          `${to} holds ${records} records of ${name}: what they wrote, direct messages too. Files are named in it.`,
        ],
      }
    }
    return withInstallation('member export', run, work)
  },
  { resume: 'No file is left. The same command begins again.' },
)

export const erase = longCommand(
  {
    org: required(values.organizationId, 'The organization'),
    member: required(values.memberId, 'The person'),
    'with-messages': optional(
      values.trueOrFalse,
      'Whether what they wrote goes too; without it, it stays nameless',
    ),
  },
  ({ org, member, 'with-messages': withMessages = false }, work) => {
    const run = async ({ db, serverRuns }: Installation) => {
      await findPerson(db, org, member)
      const [{ beginErasure }, { eraseAll }] = await Promise.all([
        import('../../actions/members/erasures.ts'),
        import('../../actions/members/erasure-steps.ts'),
      ])
      await db
        .write(org, async (tx) =>
          beginErasure(tx, OPERATOR, await requirePerson(tx, member), { withMessages }),
        )
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
          throw new OperatorError(`Nothing was deleted: ${error.message}.`)
        })
      const isFinished = await eraseAll(db, { orgId: org, profileId: member }, { serverRuns, work })
      return {
        json: { profileId: member, withMessages, isFinished },
        lines: [
          isFinished
            ? `Who it was is deleted, in logs too${withMessages ? ', with what they wrote' : ''}.`
            : 'Who it was is deleted. A hold keeps what they wrote; a running server does the rest when it ends.',
        ],
      }
    }
    return withInstallation('member erase', run, work)
  },
  { resume: 'Who it was is deleted. A running server does the rest within minutes.' },
)
