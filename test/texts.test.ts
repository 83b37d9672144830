import { expect, test } from 'vitest'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import '../web/src/texts/account-errors.ts'
import '../web/src/texts/console-errors.ts'
import '../web/src/texts/emoji.ts'
import '../web/src/texts/erasure.ts'
import '../web/src/texts/forward.ts'
import '../web/src/texts/late-errors.ts'
import '../web/src/texts/later-errors.ts'
import '../web/src/texts/presence.ts'
import '../web/src/texts/readings.ts'
import '../web/src/texts/records.ts'
import '../web/src/texts/report.ts'
import '../web/src/texts/reports.ts'
import '../web/src/texts/settings.ts'
import { errorSentence } from '../web/src/texts/errors.ts'

/** Refusals that every operation can get, beside its own. */
const SHARED = [
  'sign in first',
  'forbidden',
  'this must be sent from a page of this server',
  'malformed JSON',
]

const refusals = PEOPLE_OPERATIONS.flatMap(({ refusals = {} }) => Object.values(refusals).flat())

test.each([...new Set([...SHARED, ...refusals])])('"%s" is also said in German', (refusal) => {
  expect(errorSentence(refusal, 'de')).not.toBe(errorSentence(refusal, 'en'))
})
