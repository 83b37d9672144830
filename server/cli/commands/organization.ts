import { LIMITS } from '../../../contract/limits.ts'
import { INVITATION_DAYS, inviteMember } from '../../actions/members/invitations.ts'
import { addPerson } from '../../actions/members/members.ts'
import { audit, changesBetween, OPERATOR } from '../../actions/organization/audit.ts'
import { setStorageQuota } from '../../actions/organization/file-quota.ts'
import { setCeilings, setOrganization } from '../../actions/organization/organization-settings.ts'
import { createFirstTopic } from '../../actions/topics/chat-topics.ts'
import type { Config } from '../../config.ts'
import {
  type EventRetention,
  effectiveEventRetentionDays,
  effectiveRateLimit,
  type RateLimits,
  rateLimitCeiling,
  retentionDaysCeiling,
} from '../../limits/organization-limits.ts'
import { readStorage } from '../../queries/organization/file-quota.ts'
import { nameFrom } from '../../text.ts'
import { command, flag, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findOrganization, listOrganizations, type OrganizationSettingsRow } from '../find.ts'
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
      const { foundOrganization } = await import('../../actions/organization/organizations.ts')
      const { makeHomeIfFirst } = await import('../../actions/organization/installation.ts')
      const { made, isHome } = await installation.db.transaction(async (open) => {
        const tx = await foundOrganization(open, { name })
        const isHome = await makeHomeIfFirst(tx)
        const person = {
          email,
          name: adminName ?? nameFrom(email),
          role: 'owner',
          status: 'Pending',
        } as const
        const adminProfileId = await addPerson(tx, person)
        await createFirstTopic(tx, adminProfileId)
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
        return { made: { organizationId: tx.orgId, adminProfileId, inviteUrl }, isHome }
      })
      const mailed = await deliverMail(installation, email)
      return {
        json: made,
        lines: [
          `Created the organization "${name}"${isHome ? ', the home organization of this server' : ''}.`,
          '',
          ...columns([
            ['Organization', made.organizationId],
            ['Admin', `${made.adminProfileId} (pending)`],
            ['Invitation', made.inviteUrl],
          ]),
          '',
          `The invitation works once, for ${INVITATION_DAYS} days. ${mailed}`,
        ],
      }
    }),
)

export const list = command({}, () =>
  withInstallation('org list', async ({ db }) => {
    const organizations = await listOrganizations(db)
    return {
      json: { organizations },
      lines: organizations.flatMap(
        ({ organizationId, name, isHome, isBeingRemoved, createdAt, people, bots, lastEventAt }) => [
          `${organizationId}  ${name}${isHome ? ' (the home organization)' : ''}${isBeingRemoved ? ' (being removed: `parley org remove` goes on)' : ''}`,
          `  created ${dayOf(createdAt)}, ${counted(people, 'person', 'people')}, ${counted(bots, 'bot', 'bots')}, ${lastEventAt === null ? 'nothing has happened yet' : `last used ${dayOf(lastEventAt)}`}`,
        ],
      ),
    }
  }),
)

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const set = command(
  {
    org: required(values.organizationId, 'The organization'),
    home: flag('Makes it the home organization: its owners decide on what counts for the whole server'),
    'restrict-to-org-units': optional(values.trueOrFalse, 'Whether bots see only the org units they are in'),
    'rate-limit': optional(
      values.rateLimit,
      'The most requests a minute its admins can allow; 0: no limit; default: as the server is set',
    ),
    'retention-days': optional(
      values.days,
      'The longest that its admins can have events kept; default: as the server is set',
    ),
    'storage-quota-mb': optional(
      values.storageQuotaMb,
      'MiB of files that it may keep; 0: no limit; default: as the server is set',
    ),
    'require-second-factor': optional(values.trueOrFalse, 'Whether everybody signs in with a second factor'),
    'require-sign-on': optional(
      values.trueOrFalse,
      'Whether members come by single sign-on alone; owners also with a second factor',
    ),
    'sign-in-days': optional(
      values.signInDays,
      `The days after which people sign in again; none: ${LIMITS.signInDays}, as everywhere`,
    ),
    'four-eyes': optional(values.trueOrFalse, 'Whether a reading of content waits for a second owner'),
  },
  async (options) => {
    const { org, home, 'restrict-to-org-units': restrictToOrgUnits } = options
    const ceilings = { rateLimit: options['rate-limit'], retentionDays: options['retention-days'] }
    const { rateLimit, retentionDays } = ceilings
    const storageQuotaMb = options['storage-quota-mb']
    const requireSecondFactor = options['require-second-factor']
    const fourEyes = options['four-eyes']
    const requireSignOn = options['require-sign-on']
    const signInDays = options['sign-in-days']
    const settings = { restrictToOrgUnits, requireSecondFactor, requireSignOn, signInDays, fourEyes }
    const given = [home, rateLimit, retentionDays, storageQuotaMb, ...Object.values(settings)]
    if (given.every((value) => value === undefined)) {
      throw new UsageError(
        'Nothing to set: give --home, --restrict-to-org-units, --rate-limit, --retention-days, --storage-quota-mb, --require-second-factor, --require-sign-on, --sign-in-days or --four-eyes.',
      )
    }
    return withInstallation('org set', async (installation) => {
      const before = await findOrganization(installation.db, org)
      const { makeHome } = await import('../../actions/organization/installation.ts')
      await installation.db.write(org, async (tx) => {
        const { quotaMb } = await readStorage(tx, tx, installation.config)
        if (home) await makeHome(tx)
        await setOrganization(tx, settings)
        await setCeilings(tx, ceilings)
        if (storageQuotaMb !== undefined) await setStorageQuota(tx, storageQuotaMb)
        const changes = changesBetween(
          { ...audited(before), storageQuotaMb: quotaMb },
          {
            ...audited({
              isHome: home,
              ...settings,
              rateLimitCeiling: rateLimit,
              retentionDaysCeiling: retentionDays,
            }),
            storageQuotaMb,
          },
        )
        if (changes.length === 0) return
        const target = { type: 'organization', id: org, name: before.name } as const
        await audit(tx, OPERATOR, { action: 'organization.changed', target, changes })
      })
      return describe(
        await findOrganization(installation.db, org),
        await readStorage({ orgId: org }, installation.db, installation.config),
        installation,
      )
    })
  },
)

type Settable =
  | 'isHome'
  | 'restrictToOrgUnits'
  | 'requireSecondFactor'
  | 'requireSignOn'
  | 'signInDays'
  | 'fourEyes'
  | 'rateLimitCeiling'
  | 'retentionDaysCeiling'

/** An operator's settings, under their names in the audit log. */
const audited = (settings: { [Name in Settable]: OrganizationSettingsRow[Name] | undefined }) => ({
  isHome: settings.isHome,
  restrictToOrgUnits: settings.restrictToOrgUnits,
  requireSecondFactor: settings.requireSecondFactor,
  requireSignOn: settings.requireSignOn,
  signInDays: settings.signInDays,
  fourEyes: settings.fourEyes,
  maxRateLimit: settings.rateLimitCeiling,
  maxRetentionDays: settings.retentionDaysCeiling,
})

/** The JSON has the operator's settings in `rateLimit` and `retentionDays`, and the organization's own in `chosen`. */
function describe(
  organization: OrganizationSettingsRow,
  storage: Awaited<ReturnType<typeof readStorage>>,
  { config }: Pick<Installation, 'config'>,
) {
  const { organizationId, name, isHome, restrictToOrgUnits, requireSecondFactor, requireSignOn, signInDays } =
    organization
  const { rateLimit, retentionDays, rateLimitCeiling, retentionDaysCeiling } = organization
  return {
    json: {
      organizationId,
      name,
      isHome,
      restrictToOrgUnits,
      requireSecondFactor,
      requireSignOn,
      signInDays,
      rateLimit: rateLimitCeiling,
      retentionDays: retentionDaysCeiling,
      storageQuotaMb: storage.quotaMb,
      storageUsedBytes: storage.usedBytes,
      chosen: { rateLimit, retentionDays },
    },
    lines: [
      `The organization "${name}" is set.`,
      '',
      ...columns([
        ['Organization', organizationId],
        ['Home of this server', isHome ? 'yes' : 'no'],
        ['Restricted to org units', restrictToOrgUnits ? 'yes' : 'no'],
        ['Rate limit', describeRateLimit(organization, config)],
        ['Events are kept', describeEventRetention(organization, config)],
        ['Storage', describeStorage(storage)],
        ['Second factor', requireSecondFactor ? 'everybody needs one' : 'as people choose'],
        ['Single sign-on', requireSignOn ? 'the only way for members' : 'as people choose'],
        ['People sign in again', `after ${inDays(signInDays ?? LIMITS.signInDays)}`],
      ]),
    ],
  }
}

const inDays = (days: number) => (days === 1 ? '1 day' : `${days} days`)

function describeRateLimit(limits: RateLimits, config: Config): string {
  const perMinute = (limit: number) => (limit === 0 ? 'no limit' : `${limit} requests a minute`)
  const [ceiling, effective] = [rateLimitCeiling(limits, config), effectiveRateLimit(limits, config)]
  if (effective !== ceiling)
    return `${perMinute(effective)} (chosen by its admins; at most ${perMinute(ceiling)})`
  return limits.rateLimitCeiling === null
    ? `${perMinute(ceiling)} (the server's setting)`
    : perMinute(ceiling)
}

function describeEventRetention(retention: EventRetention, config: Config): string {
  const [ceiling, effective] = [
    retentionDaysCeiling(retention, config),
    effectiveEventRetentionDays(retention, config),
  ]
  if (effective !== ceiling) return `${inDays(effective)} (chosen by its admins; at most ${inDays(ceiling)})`
  return retention.retentionDaysCeiling === null
    ? `${inDays(ceiling)} (the server's setting)`
    : inDays(ceiling)
}

function describeStorage({
  usedBytes,
  quotaBytes,
  quotaMb,
}: Awaited<ReturnType<typeof readStorage>>): string {
  const inMb = (bytes: number) => `${Math.ceil(bytes / 1024 / 1024)} MiB`
  const allowed = quotaBytes === null ? 'no limit' : `of ${inMb(quotaBytes)}`
  return `${inMb(usedBytes)} used, ${allowed}${quotaMb === null ? " (the server's setting)" : ''}`
}
