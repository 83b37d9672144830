import * as contract from '../../../contract/updates.ts'
import { hearNext } from '../../actions/rehearsals/hearing.ts'
import { refusal } from '../../errors.ts'
import { readOffset, writeOffset } from '../../events/offsets.ts'
import { json } from '../../http/answers.ts'
import { present } from '../bot/updates.ts'
import type { RehearsalApi } from './api.ts'

/** Words in place of an offset. A rehearsal knows by itself where it is. */
const WORDS: readonly string[] = ['oldest', 'newest']

/** One event at a time: asking for the next says that the one before is finished. */
export function rehearsedUpdates(api: RehearsalApi): void {
  api.reads(contract.readUpdates, async ({ caller, query: { offset }, parley }) => {
    if (caller.identity.isPaused) throw refusal('bot_paused')
    const { db, secrets, links } = parley
    const isNamed = offset !== undefined && !WORDS.includes(offset)
    const finished = isNamed ? await readOffset(caller, offset, { secrets, db }) : undefined
    const { event, heardSeq, isOver } = await hearNext(db, caller, finished)
    if (isOver) throw refusal('rehearsal_over')
    const updates = event ? present(event, links.for(caller)) : ''
    const next = JSON.stringify(writeOffset(secrets, caller, event?.seq ?? heardSeq))
    return json(200, `{"updates":[${updates}],"nextOffset":${next}}`)
  })
}
