import { endAllAssistants } from '../../auth/assistants.ts'
import { identityChanged } from '../../auth/identity.ts'
import { isPasswordAlone, isSignOn, type PersonCaller } from '../../auth/sessions.ts'
import type { Config } from '../../config.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { keepFiles, releaseFiles } from '../../files/files.ts'
import { isBlockable } from '../../limits/blocked-words.ts'
import { rateLimitCeiling, retentionDaysCeiling } from '../../limits/organization-limits.ts'
import type { Parley } from '../../parley.ts'
import { AGENT_SIGNUP } from '../../queries/organization/installation.ts'
import { type OrganizationRow, readOrganization } from '../../queries/organization/organizations.ts'
import { actorOf, audit, changesBetween } from './audit.ts'
import { changeFourEyes } from './four-eyes.ts'
import { planKeptMessages } from './message-retention-settings.ts'
import { planMessageRetentionHere, tellOrganizationChanged } from './spread-news.ts'

export type OrganizationSettings = {
  name?: string | undefined
  restrictToOrgUnits?: boolean | undefined
  /** Requests a minute; 0: no limit; null: as many as the operator allows. */
  rateLimit?: number | null | undefined
  /** How long events are kept; null: as long as the operator allows. */
  retentionDays?: number | null | undefined
  /** Whether a second factor is required. */
  requireSecondFactor?: boolean | undefined
  /** Whether a second factor is required of admins and owners. */
  adminsNeedSecondFactor?: boolean | undefined
  /** Whether members come by single sign-on alone. */
  requireSignOn?: boolean | undefined
  /** Days after which people sign in again; null: as long as a session lasts. */
  signInDays?: number | null | undefined
  allowAssistants?: boolean | undefined
  /** Whether a reading of content waits for a second owner. */
  fourEyes?: boolean | undefined
  /** Whether links get previews. */
  linkPreviews?: boolean | undefined
  /** Whether presence and status are shown. */
  showPresence?: boolean | undefined
  /** Whether topics show all replies. */
  repliesInTopics?: boolean | undefined
  /** Whether not only admins mention many people at once. */
  membersMentionMany?: boolean | undefined
  /** Whether not only admins and bots create topics. */
  membersCreateTopics?: boolean | undefined
  /** Whether not only admins invite guests. */
  membersInviteGuests?: boolean | undefined
  /** Minutes for which people edit and delete own messages; null: always. */
  editMinutes?: number | null | undefined
  /** Days that messages are kept; null: forever. */
  keepMessagesDays?: number | null | undefined
  /** Words that no message may contain. */
  blockedWords?: readonly string[] | undefined
}

/** Omitted settings stay. */
export async function setOrganization(tx: Transaction, settings: OrganizationSettings): Promise<void> {
  const { name, restrictToOrgUnits, rateLimit, retentionDays, keepMessagesDays } = settings
  const { requireSecondFactor, requireSignOn, allowAssistants, fourEyes, linkPreviews, showPresence } =
    settings
  const { repliesInTopics, membersMentionMany, membersInviteGuests, blockedWords } = settings
  const { membersCreateTopics, signInDays, editMinutes, adminsNeedSecondFactor } = settings
  await tx.query(sql`
    update organizations set
      name = coalesce(${name}, name),
      restrict_to_org_units = coalesce(${restrictToOrgUnits}::boolean, restrict_to_org_units),
      rate_limit = case when ${rateLimit !== undefined}::boolean then ${rateLimit}::integer else rate_limit end,
      retention_days = case when ${retentionDays !== undefined}::boolean then ${retentionDays}::double precision
        else retention_days end,
      require_second_factor = coalesce(${requireSecondFactor}::boolean, require_second_factor),
      admins_need_second_factor = coalesce(${adminsNeedSecondFactor}::boolean, admins_need_second_factor),
      require_sign_on = coalesce(${requireSignOn}::boolean, require_sign_on),
      sign_in_days = case when ${signInDays !== undefined}::boolean then ${signInDays}::integer else sign_in_days end,
      allow_assistants = coalesce(${allowAssistants}::boolean, allow_assistants),
      four_eyes = coalesce(${fourEyes}::boolean, four_eyes),
      link_previews = coalesce(${linkPreviews}::boolean, link_previews),
      show_presence = coalesce(${showPresence}::boolean, show_presence),
      replies_in_topics = coalesce(${repliesInTopics}::boolean, replies_in_topics),
      members_mention_many = coalesce(${membersMentionMany}::boolean, members_mention_many),
      members_create_topics = coalesce(${membersCreateTopics}::boolean, members_create_topics),
      members_invite_guests = coalesce(${membersInviteGuests}::boolean, members_invite_guests),
      edit_minutes = case when ${editMinutes !== undefined}::boolean then ${editMinutes}::integer else edit_minutes end,
      keep_messages_days = case when ${keepMessagesDays !== undefined}::boolean
        then ${keepMessagesDays}::integer else keep_messages_days end,
      blocked_words = case when ${blockedWords !== undefined}::boolean
        then nullif(${blockedWords ?? []}::text[], '{}') else blocked_words end,
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId}`)
  await identityChanged(tx, tx.orgId)
  await tellOrganizationChanged(tx)
  if (keepMessagesDays !== undefined) await planMessageRetentionHere(tx)
}

/** Sets the operator's ceilings for this organization; null: those of the server again. */
export async function setCeilings(
  tx: Transaction,
  { rateLimit, retentionDays }: Pick<OrganizationSettings, 'rateLimit' | 'retentionDays'>,
): Promise<void> {
  await tx.query(sql`
    update organizations set
      rate_limit_ceiling = case when ${rateLimit !== undefined}::boolean then ${rateLimit}::integer
        else rate_limit_ceiling end,
      retention_days_ceiling = case when ${retentionDays !== undefined}::boolean
        then ${retentionDays}::double precision else retention_days_ceiling end,
      updated_at = ${tx.now()}
    where org_id = ${tx.orgId}`)
  await identityChanged(tx, tx.orgId)
  await tellOrganizationChanged(tx)
}

/** Changes of admins, up to the operator's ceilings; agent sign-up counts for the whole server and is not theirs to decide. */
export async function changeOrganization(
  tx: Transaction,
  parley: Pick<Parley, 'config' | 'secrets'>,
  caller: PersonCaller,
  {
    agentSignup,
    keepMessagesDays,
    fourEyes,
    blockedWords: words,
    ...others
  }: OrganizationSettings & { agentSignup?: boolean | undefined },
): Promise<void> {
  const blockedWords = words && checkBlockedWords(words)
  const before = await readOrganization(tx, tx, parley.config)
  const kept =
    keepMessagesDays === undefined
      ? { changes: [], isNow: false }
      : await planKeptMessages(tx, parley, caller, before, keepMessagesDays)
  const eyes =
    fourEyes === undefined
      ? { changes: [], isNow: false }
      : await changeFourEyes(tx, parley, caller, before, fourEyes)
  const settings = {
    ...others,
    blockedWords,
    ...(kept.isNow && { keepMessagesDays }),
    ...(eyes.isNow && { fourEyes }),
  }
  if (agentSignup !== undefined && !(before.isHome && caller.role === 'owner'))
    throw refusal('agent_signup_for_home')
  refuseAboveCeilings(settings, before, parley.config)
  for (const isRequired of [settings.requireSecondFactor, settings.adminsNeedSecondFactor])
    if (isRequired !== undefined) checkSecondFactorRule(caller, isRequired)
  if (settings.requireSignOn !== undefined) checkSignOnRule(caller, settings.requireSignOn)
  if (settings.signInDays !== undefined && caller.role !== 'owner') throw refusal('sign_in_days_for_owners')
  const wanted = { ...settings, agentSignup }
  const changes = [
    ...changesBetween(
      { ...before, blockedWords: before.blockedWords.join(', ') },
      { ...wanted, blockedWords: blockedWords?.join(', ') },
    ),
    ...kept.changes,
    ...eyes.changes,
  ]
  if (changes.length === 0) return
  await setOrganization(tx, settings)
  if (settings.allowAssistants === false) await endAllAssistants(tx)
  if (agentSignup !== undefined) {
    await tx.query(sql`
      insert into settings (name, value) values (${AGENT_SIGNUP}, ${agentSignup ? 'on' : 'off'})
      on conflict (name) do update set value = excluded.value`)
  }
  await audit(tx, actorOf(caller), {
    action: 'organization.changed',
    target: { type: 'organization', id: tx.orgId, name: settings.name ?? before.name },
    changes,
  })
}

/** Trims, sorts and deduplicates the words. */
function checkBlockedWords(words: readonly string[]): string[] {
  if (!words.every(isBlockable)) throw refusal('blocked_words_invalid')
  const distinct = new Map(words.map((word) => [word.trim().toLowerCase(), word.trim()]))
  return [...distinct.values()].sort((one, other) => one.localeCompare(other))
}

function refuseAboveCeilings(
  { rateLimit, retentionDays }: OrganizationSettings,
  organization: OrganizationRow,
  config: Config,
): void {
  const [requests, days] = [
    rateLimitCeiling(organization, config),
    retentionDaysCeiling(organization, config),
  ]
  const isUnlimited = rateLimit === 0 && requests > 0
  if (isUnlimited || isAbove(rateLimit, requests || Number.POSITIVE_INFINITY))
    throw refusal('rate_limit_out_of_range', { maximum: requests })
  if (isAbove(retentionDays, days)) throw refusal('retention_out_of_range', { maximum: days })
}

const isAbove = (wanted: number | null | undefined, most: number): boolean =>
  typeof wanted === 'number' && wanted > most

/** An owner who requires a second factor must have one, so that at least one owner is not locked out. */
function checkSecondFactorRule({ role, signedInWith }: PersonCaller, isRequired: boolean): void {
  if (role !== 'owner') throw refusal('second_factor_for_owners')
  if (isRequired && isPasswordAlone(signedInWith)) throw refusal('second_factor_unused')
}

/** An owner who requires single sign-on has come by it, so that the provider is known to work. */
function checkSignOnRule({ role, signedInWith }: PersonCaller, isRequired: boolean): void {
  if (role !== 'owner') throw refusal('sign_on_for_owners')
  if (isRequired && !isSignOn(signedInWith)) throw refusal('sign_on_unused')
}

/** A file that is in the store already; kept from here on, in the place of the one before. Undefined: none. */
export async function changeLogo(
  tx: Transaction,
  parley: Pick<Parley, 'config'>,
  caller: PersonCaller,
  fileId: string | undefined,
): Promise<void> {
  const { name, logoFileId } = await readOrganization(tx, tx, parley.config)
  if (fileId === undefined && logoFileId === null) return
  if (fileId !== undefined) await keepFiles(tx, [fileId])
  if (logoFileId !== null) await releaseFiles(tx, [logoFileId])
  await tx.query(sql`
    update organizations set logo_file_id = ${fileId}, updated_at = ${tx.now()} where org_id = ${tx.orgId}`)
  await audit(tx, actorOf(caller), {
    action: fileId === undefined ? 'organization.logo_removed' : 'organization.logo_set',
    target: { type: 'organization', id: tx.orgId, name },
  })
}
