import { FILE_PART } from '../../../../contract/operation.ts'
import * as contract from '../../../../contract/people/organization.ts'
import { changeLogo, changeOrganization } from '../../../actions/organization/organization-settings.ts'
import type { Caller } from '../../../caller.ts'
import type { Queryable } from '../../../db/database.ts'
import { refusal } from '../../../errors.ts'
import { storePicture } from '../../../files/receive.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { effectiveEventRetentionMs } from '../../../limits/organization-limits.ts'
import type { Parley } from '../../../parley.ts'
import { presentOrganization } from '../../../presenters/organizations.ts'
import { countUndelivered } from '../../../queries/bots/deliveries.ts'
import { readOrganization } from '../../../queries/organization/organizations.ts'

export function organizationRoutes(people: PeopleApi): void {
  people.reads(contract.readOrganization, async ({ caller, db, parley }) =>
    ok(await settingsOf(caller, db, parley)),
  )

  people.writes(contract.updateOrganization, async ({ caller, tx, body, parley }) => {
    await changeOrganization(tx, parley, caller, body)
    return ok(await settingsOf(caller, tx, parley))
  })

  people.reads(contract.previewRetention, async ({ caller, db, query, parley: { config, clock } }) => {
    const organization = await readOrganization(caller, db, config)
    const wanted = { ...organization, retentionDays: query.retentionDays ?? null }
    const keptMs = effectiveEventRetentionMs(wanted, config)
    return ok(await countUndelivered(caller, db, { before: clock() - keptMs, most: contract.MAX_COUNTED }))
  })

  people.writes(
    contract.setLogo,
    async () => {
      throw refusal('field_required', { field: FILE_PART })
    },
    {
      prepare: async ({ caller, files: [logo], parley }) => {
        const stored = await storePicture(parley, caller.orgId, 'logo', logo)
        return { logoId: stored[0]?.id, stored }
      },
      handler: async ({ caller, tx, parley, prepared: { logoId } }) => {
        if (logoId === undefined) throw new Error('the logo could not be stored')
        await changeLogo(tx, parley, caller, logoId)
        return ok(await settingsOf(caller, tx, parley))
      },
    },
  )

  people.writes(contract.removeLogo, async ({ caller, tx, parley }) => {
    await changeLogo(tx, parley, caller, undefined)
    return noContent()
  })
}

async function settingsOf(caller: Caller, db: Queryable, parley: Pick<Parley, 'config' | 'links'>) {
  const { config, links } = parley
  return presentOrganization(await readOrganization(caller, db, config), { config, link: links.for(caller) })
}
