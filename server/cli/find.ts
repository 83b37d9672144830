import type { Queryable } from '../db/database.ts'
import { crossing, sql } from '../db/sql.ts'
import { OperatorError } from '../errors.ts'
import type { EventRetention, RateLimits } from '../limits/organization-limits.ts'
import { furtherAddresses, type WebhookAddressRow } from '../queries/bots/webhook-addresses.ts'
import { HOME_ORGANIZATION } from '../queries/organization/installation.ts'

export type OrganizationSettingsRow = RateLimits &
  EventRetention & {
    organizationId: string
    name: string
    isHome: boolean
    restrictToOrgUnits: boolean
    requireSecondFactor: boolean
    requireSignOn: boolean
    signInDays: number | null
    fourEyes: boolean
  }

/** The organization that the operator named, or a refusal that says how to name it right. */
export async function findOrganization(db: Queryable, orgId: string): Promise<OrganizationSettingsRow> {
  const [row] = await db.query<OrganizationSettingsRow>(sql`
    select org_id as "organizationId", name,
      exists (select 1 from settings where name = ${HOME_ORGANIZATION} and value = org_id::text) as "isHome",
      restrict_to_org_units as "restrictToOrgUnits", require_second_factor as "requireSecondFactor", require_sign_on as "requireSignOn", sign_in_days as "signInDays", four_eyes as "fourEyes", rate_limit as "rateLimit",
      rate_limit_ceiling as "rateLimitCeiling", retention_days as "retentionDays",
      retention_days_ceiling as "retentionDaysCeiling"
    from organizations where org_id = ${orgId}`)
  if (!row)
    throw new OperatorError(`No organization has the id ${orgId}. Is DATA_DIR or DATABASE_URL the right one?`)
  return row
}

type ListedOrganization = {
  organizationId: string
  name: string
  isHome: boolean
  /** Whether a removal has begun and not finished. */
  isBeingRemoved: boolean
  createdAt: number
  people: number
  bots: number
  /** Null before the first event. */
  lastEventAt: number | null
}

/** The oldest first. The newest tick of an organization's clock is that of its newest event. */
export const listOrganizations = (db: Queryable): Promise<ListedOrganization[]> =>
  db.query<ListedOrganization>(sql`${crossing('the operator lists all organizations')}
    with home as materialized (select value as org_id from settings where name = ${HOME_ORGANIZATION})
    select o.org_id as "organizationId", o.name, o.created_at as "createdAt", h.org_id is not null as "isHome",
      r.org_id is not null as "isBeingRemoved", coalesce(p.people, 0)::bigint as people, coalesce(p.bots, 0)::bigint as bots,
      case when l.last_seq > 0 then l.last_tick >> 12 end as "lastEventAt"
    from organizations o
    join organization_logs l on l.org_id = o.org_id
    left join (
      select org_id, count(*) filter (where kind = 'user' and status <> 'Archived') as people,
        count(*) filter (where kind = 'bot') as bots
      from profiles group by org_id
    ) p on p.org_id = o.org_id
    left join organization_removals r on r.org_id = l.org_id
    left join home h on h.org_id = o.org_id::text
    order by o.created_at, o.org_id`)

export async function findPerson(db: Queryable, orgId: string, profileId: string) {
  await findOrganization(db, orgId)
  const [row] = await db.query<{
    profileId: string
    name: string
    status: string
    accountId: string
    email: string
  }>(sql`
    select id as "profileId", name, status, account_id as "accountId", email from profiles
    where org_id = ${orgId} and id = ${profileId} and kind = 'user'`)
  if (!row) throw new OperatorError(`No member of this organization has the id ${profileId}.`)
  return row
}

export type BotSettingsRow = {
  orgId: string
  botId: string
  name: string
  credential: 'static' | 'oauth'
  permission: 'read' | 'write'
  scopes: string[]
  signatureVersion: 1 | 2
  delivery: 'polling' | 'webhook'
  webhookUrl: string | null
  /** Further addresses of its webhook, besides `webhookUrl`. */
  addresses: WebhookAddressRow[]
  pollVoteEvents: boolean
  opensDirectMessages: boolean
  externalIdIsKey: boolean
  messagesPerDay: number | null
  tokensPerDay: number | null
  active: boolean
}

export async function findBot(db: Queryable, botId: string): Promise<BotSettingsRow> {
  const [place] = await db.query<{ orgId: string; botId: string }>(sql`
    select org_id as "orgId", bot_id as "botId" from bot_directory where bot_id = ${botId}`)
  const [row] = !place
    ? []
    : await db.query<BotSettingsRow>(sql`
    select b.org_id as "orgId", b.id as "botId", p.name, b.credential, b.permission, b.scopes,
      b.signature_version as "signatureVersion", b.delivery,
      b.webhook_url as "webhookUrl", ${furtherAddresses(sql`${place.orgId}`)} as addresses, b.poll_vote_events as "pollVoteEvents",
      b.opens_direct_messages as "opensDirectMessages", b.external_id_is_key as "externalIdIsKey",
      b.messages_per_day as "messagesPerDay", b.tokens_per_day as "tokensPerDay", b.active
    from bots b join profiles p on p.org_id = b.org_id and p.id = b.id
    where b.org_id = ${place.orgId} and b.id = ${place.botId}`)
  if (!row) throw new OperatorError(`No bot has the id ${botId}. Is DATA_DIR or DATABASE_URL the right one?`)
  return row
}

/** A bot's address: the first one by default. */
export async function findAddress(
  db: Queryable,
  botId: string,
  addressId: string | undefined,
): Promise<{ orgId: string; botId: string; addressId?: string; name: string }> {
  const { orgId, name, addresses } = await findBot(db, botId)
  if (addressId === undefined) return { orgId, botId, name }
  if (!addresses.some(({ id }) => id === addressId))
    throw new OperatorError(
      `This bot has no further address ${addressId}. \`parley bot addresses\` shows them.`,
    )
  return { orgId, botId, addressId, name }
}

export async function findPoll(db: Queryable, pollId: string) {
  const [row] = await db.query<{ orgId: string; question: string }>(sql`
    select org_id as "orgId", question from polls where id = ${pollId}`)
  if (!row)
    throw new OperatorError(`No poll has the id ${pollId}. Is DATA_DIR or DATABASE_URL the right one?`)
  return row
}
