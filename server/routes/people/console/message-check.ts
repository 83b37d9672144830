import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/message-check.ts'
import {
  beginCheckTest,
  decideHeldMessage,
  openHeldMessage,
  removeMessageCheck,
  setMessageCheck,
} from '../../../actions/organization/message-checks.ts'
import { refusal, tooMany } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { cursors, cutPage } from '../../../http/cursor.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentHeldMessage, presentMessageCheck } from '../../../presenters/message-checks.ts'
import { listHeldMessages, readMessageCheck } from '../../../queries/organization/message-checks.ts'

/** The topic of a test: none has it. */
const NO_TOPIC = '00000000-0000-0000-0000-000000000000'

export function messageCheckRoutes(people: PeopleApi): void {
  people.reads(contract.readMessageCheck, async ({ caller, db }) => {
    const check = await readMessageCheck(caller, db)
    return ok(check ? { check: presentMessageCheck(check) } : {})
  })

  people.writes(contract.setMessageCheck, async ({ caller, tx, body, parley }) => {
    const made = await setMessageCheck(tx, parley, caller, body)
    const check = await readMessageCheck(tx, tx)
    if (!check) throw refusal('message_check_not_found')
    return ok({ check: presentMessageCheck(check), ...made })
  })

  people.writes(contract.removeMessageCheck, async ({ caller, tx }) => {
    await removeMessageCheck(tx, caller)
    return noContent()
  })

  people.acts(contract.testMessageCheck, async ({ caller: admitted, body: { text }, parley }) => {
    const { db, messageCheck, rateLimiter } = parley
    const { orgId } = admitted
    const name = `message-check-test:${orgId}`
    const { allowed, resetMs } = await rateLimiter.take(name, LIMITS.messageCheckTestsPerMinute)
    if (!allowed) throw tooMany(resetMs)
    const check = await db.writeAs(admitted, async (tx, caller) => {
      await beginCheckTest(tx, caller)
      return readMessageCheck(tx, tx)
    })
    if (!check) throw refusal('message_check_not_found')
    const began = performance.now()
    const asked = { kind: 'message' as const, topicId: NO_TOPIC, senderId: admitted.profileId }
    const checked = await messageCheck.test(orgId, check, text, asked)
    const milliseconds = Math.round(performance.now() - began)
    if ('fault' in checked) return ok({ milliseconds, fault: checked.fault })
    const [verdict] = checked.verdicts
    if (!verdict || verdict.verdict === 'away') throw new Error('an answer has a verdict for each text')
    return ok({ milliseconds, ...verdict, verdict: verdict.verdict })
  })

  people.reads(contract.listHeldMessages, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor } = query
    const list = cursors<null, string>(parley.secrets, caller, 'held-messages')
    const after = cursor === undefined ? undefined : list.read(cursor).after
    const rows = await listHeldMessages(caller, db, { limit, ...(after !== undefined && { after }) })
    const { items, last } = cutPage(rows, limit)
    return ok({
      heldMessages: items.map(presentHeldMessage),
      ...(last && { nextCursor: list.write({ filters: null, after: last.id }) }),
      hasMore: last !== undefined,
    })
  })

  people.writes(contract.readHeldMessage, async ({ caller, tx, params }) => {
    const held = await openHeldMessage(tx, caller, params.heldMessageId)
    return ok({ heldMessage: presentHeldMessage(held), text: held.text })
  })

  people.writes(contract.decideHeldMessage, async ({ caller, tx, params, body }) => {
    await decideHeldMessage(tx, caller, params.heldMessageId, body.outcome)
    return noContent()
  })
}
