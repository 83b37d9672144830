import type { Caller } from '../../caller.ts'
import type { Config } from '../../config.ts'
import type { Queryable } from '../../db/database.ts'
import { sql } from '../../db/sql.ts'
import {
  type EventRetention,
  effectiveEventRetentionMs,
  type RateLimits,
} from '../../limits/organization-limits.ts'
import { readHomeAndSignups } from './installation.ts'

export type OrganizationRow = RateLimits &
  EventRetention & {
    id: string
    name: string
    logoFileId: string | null
    restrictToOrgUnits: boolean
    requireSecondFactor: boolean
    adminsNeedSecondFactor: boolean
    requireSignOn: boolean
    /** Days after which people sign in again; null: as long as a session lasts. */
    signInDays: number | null
    allowAssistants: boolean
    fourEyes: boolean
    /** The owner who asked to switch four eyes off, while they are one; null: no owner did. */
    fourEyesEnd: { id: string; name: string } | null
    linkPreviews: boolean
    showPresence: boolean
    repliesInTopics: boolean
    membersMentionMany: boolean
    membersCreateTopics: boolean
    membersInviteGuests: boolean
    /** Minutes for which people edit and delete own messages; null: always. */
    editMinutes: number | null
    keepMessagesDays: number | null
    /** A shorter time that applies later; null if none. */
    keepMessagesNext: { days: number; at: number; by: { id: string; name: string } } | null
    blockedWords: string[]
    /** The home organization of this server: its owners decide on what counts for all. */
    isHome: boolean
  }

const limits = sql`
  rate_limit as "rateLimit", rate_limit_ceiling as "rateLimitCeiling",
  retention_days as "retentionDays", retention_days_ceiling as "retentionDaysCeiling"`

export async function readOrganization(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  config: Pick<Config, 'agentSignup'>,
): Promise<OrganizationRow & { agentSignup: boolean }> {
  const [row] = await db.query<Omit<OrganizationRow, 'isHome'>>(sql`
    select org_id as id, name, logo_file_id as "logoFileId", restrict_to_org_units as "restrictToOrgUnits",
      require_second_factor as "requireSecondFactor", admins_need_second_factor as "adminsNeedSecondFactor",
      require_sign_on as "requireSignOn", sign_in_days as "signInDays", allow_assistants as "allowAssistants",
      four_eyes as "fourEyes", (
        select json_build_object('id', p.id, 'name', p.name) from profiles p
        where p.org_id = ${orgId} and p.id = four_eyes_end_by and p.role = 'owner' and p.status = 'Active'
      ) as "fourEyesEnd", link_previews as "linkPreviews", show_presence as "showPresence",
      replies_in_topics as "repliesInTopics", members_mention_many as "membersMentionMany",
      members_create_topics as "membersCreateTopics", members_invite_guests as "membersInviteGuests",
      edit_minutes as "editMinutes",
      keep_messages_days as "keepMessagesDays", (
        select json_build_object('days', keep_messages_next_days, 'at', keep_messages_next_at,
          'by', json_build_object('id', p.id, 'name', p.name))
        from profiles p where p.org_id = ${orgId} and p.id = keep_messages_next_by
      ) as "keepMessagesNext", coalesce(blocked_words, '{}') as "blockedWords", ${limits}
    from organizations where org_id = ${orgId}`)
  if (!row) throw new Error(`organization ${orgId} does not exist`)
  const { home, access } = await readHomeAndSignups(db, config)
  return { ...row, isHome: home === row.id, agentSignup: access === 'everybody' }
}

/** The time that this organization's events are kept. */
export async function readEventRetentionMs(
  { orgId }: Pick<Caller, 'orgId'>,
  db: Queryable,
  config: Pick<Config, 'updatesRetentionMs'>,
): Promise<number> {
  const [row] = await db.query<EventRetention>(
    sql`select ${limits} from organizations where org_id = ${orgId}`,
  )
  if (!row) throw new Error(`organization ${orgId} does not exist`)
  return effectiveEventRetentionMs(row, config)
}
