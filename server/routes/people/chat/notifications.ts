import * as contract from '../../../../contract/people/notifications.ts'
import { updateNotificationSettings } from '../../../actions/members/notification-settings.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentNotificationSettings } from '../../../presenters/notifications.ts'
import { readNotificationSettings } from '../../../queries/members/notification-settings.ts'

/** Serves the caller's own notification settings. */
export function notificationRoutes(people: PeopleApi): void {
  people.reads(contract.readNotificationSettings, async ({ caller, db, parley: { pushKey } }) =>
    ok(presentNotificationSettings(await readNotificationSettings(caller, db), pushKey?.publicKey ?? null)),
  )

  people.acts(contract.updateNotificationSettings, async ({ caller, body, parley: { db, pushKey } }) => {
    await db.writeBeside(caller, (tx) => updateNotificationSettings(tx, caller, body))
    const settings = await readNotificationSettings(caller, db)
    return ok(presentNotificationSettings(settings, pushKey?.publicKey ?? null))
  })

  people.acts(contract.tellActive, async ({ caller, body, parley }) => {
    parley.activity.tell(caller, caller.sessionId, body.active)
    return noContent()
  })
}
