import * as contract from '../../../../contract/people/notifications.ts'
import { subscribeToPush, unsubscribeFromPush } from '../../../actions/accounts/push-subscriptions.ts'
import { noContent } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'

/** Subscribes the browser of a session, which is notified even without an open page. */
export function pushRoutes(people: PeopleApi): void {
  people.account(
    contract.subscribeToPush,
    async ({ signedIn, body, transact, parley: { secrets, config, clock } }) => {
      await transact((tx) => subscribeToPush(tx, { secrets, config, now: clock() }, signedIn, body))
      return noContent()
    },
  )

  people.account(contract.unsubscribeFromPush, async ({ signedIn, transact }) => {
    await transact((tx) => unsubscribeFromPush(tx, signedIn))
    return noContent()
  })
}
