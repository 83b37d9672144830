import type { PersonCaller } from '../../auth/sessions.ts'
import { sql } from '../../db/sql.ts'
import type { Transaction } from '../../db/transaction.ts'
import { refusal } from '../../errors.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import { hasOtherOwner } from '../../queries/members/people.ts'
import type { OrganizationRow } from '../../queries/organization/organizations.ts'
import { type Change, changesBetween } from './audit.ts'
import { mailOwners } from './owner-mail.ts'

/** Whether a reading of content waits for a second owner. */
export async function hasFourEyes(tx: Transaction): Promise<boolean> {
  const [row] = await tx.query<{ fourEyes: boolean }>(
    sql`select four_eyes as "fourEyes" from organizations where org_id = ${tx.orgId}`,
  )
  return row?.fourEyes ?? false
}

/** An owner who could appoint the second one would act as both. */
export async function refuseNewOwners(tx: Transaction): Promise<void> {
  if (await hasFourEyes(tx)) throw refusal('owners_fixed')
}

/** Sets four eyes at once, and ends them when a second owner asks for it too. Returns what changed, and whether the choice counts at once. */
export async function changeFourEyes(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  caller: PersonCaller,
  { fourEyes, fourEyesEnd }: OrganizationRow,
  wanted: boolean,
): Promise<{ changes: Change[]; isNow: boolean }> {
  if (caller.role !== 'owner') throw refusal('four_eyes_for_owners')
  if (wanted && !fourEyes) await refuseUnready(tx, caller)
  const isNow = wanted || !fourEyes || (fourEyesEnd !== null && fourEyesEnd.id !== caller.profileId)
  const asked = isNow ? null : caller.profileId
  await tx.query(sql`update organizations set four_eyes_end_by = ${asked} where org_id = ${tx.orgId}`)
  const [me] = await tx.query<{ name: string }>(
    sql`select name from profiles where org_id = ${tx.orgId} and id = ${caller.profileId}`,
  )
  const name = me?.name ?? ''
  if (!isNow && fourEyesEnd === null) await tellOwners(tx, parley, name)
  const [before, after] = [fourEyesEnd?.name ?? null, isNow ? null : name]
  // An end that took effect needs no second entry.
  const changes =
    isNow && !wanted ? [] : changesBetween({ fourEyesEndAsked: before }, { fourEyesEndAsked: after })
  return { changes, isNow }
}

/** An owner who accepts an invitation later would be new, and may be the same person once more. */
async function refuseUnready(tx: Transaction, { profileId }: PersonCaller): Promise<void> {
  if (!(await hasOtherOwner(tx, tx, profileId))) throw refusal('four_eyes_owners_missing')
  const [pending] = await tx.query(sql`
    select 1 from profiles where org_id = ${tx.orgId} and role = 'owner' and status = 'Pending' limit 1`)
  if (pending) throw refusal('four_eyes_owner_pending')
}

function tellOwners(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  name: string,
): Promise<void> {
  const link = asIs(`${parley.config.baseUrl}/console/${tx.orgId}/settings`)
  return mailOwners(tx, parley, (organization) => ({
    en: {
      subject: mailWords`${name} asks to switch off four-eyes approval in ${organization}`,
      text: mailWords`${name} wants reading content in ${organization} to no longer need a second owner’s approval. It takes effect once another owner switches it off, too:
${link}
`,
    },
    de: {
      subject: mailWords`${name} möchte das Vier-Augen-Prinzip in ${organization} abschalten`,
      text: mailWords`${name} möchte, dass das Lesen von Inhalten in ${organization} keine Zustimmung eines zweiten Eigentümers mehr braucht. Es wird wirksam, sobald ein anderer Eigentümer es ebenfalls abschaltet:
${link}
`,
    },
  }))
}
