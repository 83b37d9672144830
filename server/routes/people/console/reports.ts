import { LIMITS } from '../../../../contract/limits.ts'
import * as contract from '../../../../contract/people/reports.ts'
import { decideReport, openReport } from '../../../actions/organization/reports.ts'
import { ok } from '../../../http/answers.ts'
import { readListPage } from '../../../http/list-pages.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { presentMessage } from '../../../presenters/messages.ts'
import { presentReport } from '../../../presenters/reports.ts'
import { readNames } from '../../../queries/messages/messages.ts'
import { countReports, listReports } from '../../../queries/organization/reports.ts'

export function reportRoutes(people: PeopleApi): void {
  people.reads(contract.listReports, async ({ caller, db, query, parley }) => {
    const { limit = LIMITS.pageDefault, cursor, state = 'open' } = query
    const { rows, ...page } = await readListPage(
      { secrets: parley.secrets, caller, list: 'reports' },
      { cursor, filters: { isOpen: state === 'open' }, limit },
      {
        read: (...asked) => listReports(caller, db, ...asked),
        count: (asked) => countReports(caller, db, asked),
      },
    )
    return ok({ reports: rows.map(presentReport), ...page })
  })

  people.writes(contract.readReport, async ({ caller, tx, params, parley: { links } }) => {
    const { report, message } = await openReport(tx, caller, params.reportId)
    const names = await readNames(caller, tx, message?.mentions ?? [])
    const parts = { names, now: tx.now(), link: links.for(caller) }
    return ok({
      report: presentReport(report),
      reportedText: report.text,
      ...(message && { message: presentMessage(message, parts) }),
    })
  })

  people.writes(contract.decideReport, async ({ caller, tx, params, body }) =>
    ok(presentReport(await decideReport(tx, caller, params.reportId, body.outcome))),
  )
}
