import * as contract from '../../../../contract/people/webhook-addresses.ts'
import {
  addAddress,
  changeAddress,
  endAddressOverlap,
  removeAddress,
  replaceAddressSecret,
  requireAddress,
} from '../../../actions/bots/webhook-addresses.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentAddress } from '../../../presenters/bots.ts'

const HOUR_MS = 3_600_000

/** Addresses of a bot's webhook beside the first one, which is a setting of the bot. */
export function webhookAddressRoutes(people: PeopleApi): void {
  people.writes(contract.addWebhookAddress, async ({ caller, tx, params: { botId }, body, parley }) => {
    const { addressId, secret } = await addAddress(tx, parley, actorOf(caller), botId, body)
    const { address } = await requireAddress(tx, { botId, addressId })
    return created({ address: presentAddress(address), secret })
  })

  people.writes(contract.updateWebhookAddress, async ({ caller, tx, params, body, parley }) => {
    await changeAddress(tx, parley, actorOf(caller), params, body)
    return ok(presentAddress((await requireAddress(tx, params)).address))
  })

  people.writes(contract.removeWebhookAddress, async ({ caller, tx, params }) => {
    await removeAddress(tx, actorOf(caller), params)
    return noContent()
  })

  people.writes(contract.rotateAddressSecret, async ({ caller, tx, params, body, parley }) => {
    const overlapMs = (body.overlapHours ?? 0) * HOUR_MS
    const secret = await replaceAddressSecret(tx, parley, actorOf(caller), params, overlapMs)
    return ok({ address: presentAddress((await requireAddress(tx, params)).address), secret })
  })

  people.writes(contract.endFormerAddressSecret, async ({ caller, tx, params }) => {
    await endAddressOverlap(tx, actorOf(caller), params)
    return noContent()
  })
}
