import { LIMITS } from '../../../contract/limits.ts'
import { audit, changesBetween, OPERATOR } from '../../actions/audit.ts'
import { INVITATION_DAYS, inviteMember } from '../../actions/invitations.ts'
import { addPerson } from '../../actions/members.ts'
import { setOrganization } from '../../actions/organization-settings.ts'
import { nameFrom } from '../../text.ts'
import { command, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { deliverMail } from '../mail.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

export const create = command(
  {
    name: required(values.name(LIMITS.companyName), 'Name of the organization'),
    'admin-email': required(values.email, 'Address of its first admin, who is invited'),
    'admin-name': optional(values.name(LIMITS.profileName), 'Name of the admin; they can change it'),
  },
  (options) =>
    withInstallation('org create', async (installation) => {
      const { name, 'admin-email': email, 'admin-name': adminName } = options
      const { foundOrganization } = await import('../../actions/organizations.ts')
      const created = await installation.db.writeOutside(async (open) => {
        const tx = await foundOrganization(open, { name })
        const person = {
          email,
          name: adminName ?? nameFrom(email),
          role: 'owner',
          status: 'Pending',
        } as const
        const adminProfileId = await addPerson(tx, person)
        const inviteUrl = await inviteMember(tx, installation, adminProfileId)
        await audit(tx, OPERATOR, {
          action: 'organization.created',
          target: { type: 'organization', id: tx.orgId, name },
        })
        await audit(tx, OPERATOR, {
          action: 'member.invited',
          target: { type: 'member', id: adminProfileId, name: person.name },
          changes: changesBetween({}, { email, role: person.role }),
        })
        return { organizationId: tx.orgId, adminProfileId, inviteUrl }
      })
      const mailed = await deliverMail(installation, email)
      return {
        json: created,
        lines: [
          `Created the organization "${name}".`,
          '',
          ...columns([
            ['Organization', created.organizationId],
            ['Admin', `${created.adminProfileId} (pending)`],
            ['Invitation', created.inviteUrl],
          ]),
          '',
          `The invitation works once, for ${INVITATION_DAYS} days. ${mailed}`,
        ],
      }
    }),
)

export const set = command(
  {
    org: required(values.organizationId, 'The organization'),
    'restrict-to-org-units': optional(values.trueOrFalse, 'Whether bots see only the org units they are in'),
    'rate-limit': optional(values.rateLimit, 'Requests a minute; 0: no limit; default: as the server is set'),
  },
  async ({ org, 'restrict-to-org-units': restrictToOrgUnits, 'rate-limit': rateLimit }) => {
    if (restrictToOrgUnits === undefined && rateLimit === undefined)
      throw new UsageError('Nothing to set: give --restrict-to-org-units or --rate-limit.')
    return withInstallation('org set', async (installation) => {
      const wanted = { restrictToOrgUnits, rateLimit }
      const before = await findOrganization(installation.db, org)
      await installation.db.write(org, async (tx) => {
        await setOrganization(tx, wanted)
        const changes = changesBetween(before, wanted)
        if (changes.length === 0) return
        const target = { type: 'organization', id: org, name: before.name } as const
        await audit(tx, OPERATOR, { action: 'organization.changed', target, changes })
      })
      return describe(await findOrganization(installation.db, org), installation)
    })
  },
)

function describe(
  organization: Awaited<ReturnType<typeof findOrganization>>,
  { config }: Pick<Installation, 'config'>,
) {
  const { organizationId, name, restrictToOrgUnits, rateLimit } = organization
  const perMinute = (limit: number) => (limit === 0 ? 'no limit' : `${limit} requests a minute`)
  return {
    json: organization,
    lines: [
      `The organization "${name}" is set.`,
      '',
      ...columns([
        ['Organization', organizationId],
        ['Restricted to org units', restrictToOrgUnits ? 'yes' : 'no'],
        [
          'Rate limit',
          rateLimit === null
            ? `${perMinute(config.rateLimitPerMinute)} (the server's setting)`
            : perMinute(rateLimit),
        ],
      ]),
    ],
  }
}
