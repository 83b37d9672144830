import { useMutation, useQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import type { decideReport, listReports, Report, readReport } from '../../../../contract/people/reports.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { Name, named, Words } from '../../kit/name.tsx'
import { ErrorNotice, StateMark } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { reportsTexts } from '../../texts/reports.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'
import { NamedCell, useStateList } from './state-list.tsx'
import { Said } from './topics/said.tsx'

const REPORTS = '/people/organizations/{organizationId}/reports'

/** Messages that people have reported. */
export default function Reports() {
  const t = useTexts(reportsTexts)
  const { address, query } = useStateList({
    kind: 'report',
    state: 'decided',
    read: async ({ isFiltered, cursor }, organizationId) => {
      const { reports: rows, ...page } = await call<typeof listReports>('GET', REPORTS, {
        params: { organizationId },
        query: { state: isFiltered ? 'decided' : 'open', ...cursor },
      })
      return { rows, ...page }
    },
  })
  const [opened, setOpened] = useState<Report>()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Table
        label={t.title}
        address={address}
        query={query}
        nameOf={({ sender }) => sender.name}
        filters={[{ name: 'state', label: t.state, any: t.open, options: [['decided', t.decided]] }]}
        columns={[
          { label: t.columns.message, width: '24%', cell: (report) => <Where report={report} /> },
          { label: t.columns.reason, cell: ({ reason }) => <bdi>{reason}</bdi> },
          { label: t.columns.reporter, width: '16%', cell: ({ reporter }) => <Name text={reporter.name} /> },
          { label: t.columns.at, width: '14%', cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: t.columns.outcome, width: '18%', cell: (report) => <Outcome report={report} /> },
        ]}
        menu={(report) => [{ label: t.read, icon: FolderOpen, onSelect: () => setOpened(report) }]}
        count={t.count}
        empty={t.none}
      />
      {opened && <Opened report={opened} onClose={() => setOpened(undefined)} />}
    </>
  )
}

function Where({ report: { sender, topic } }: { report: Report }) {
  const t = useTexts(reportsTexts)
  return (
    <NamedCell name={sender.name}>
      <Words text={topic.name === '' ? t.direct : t.inTopic(named(topic.name))} />
    </NamedCell>
  )
}

function Outcome({ report: { outcome, decidedBy } }: { report: Report }) {
  const t = useTexts(reportsTexts)
  if (outcome === undefined) return <StateMark tone="warn">{t.waiting}</StateMark>
  return (
    <Stack tight>
      <StateMark tone="plain">{t.outcomes[outcome]}</StateMark>
      {decidedBy && (
        <Quiet small>
          <Words text={t.by(named(decidedBy.name))} />
        </Quiet>
      )}
    </Stack>
  )
}

/** The reported message is read once, on opening: each reading is in the audit log. */
function Opened({ report, onClose }: { report: Report; onClose: () => void }) {
  const t = useTexts(reportsTexts).report
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [isSure, setSure] = useState(false)
  const params = { organizationId, reportId: report.id }
  const content = useQuery({
    // This key is not marked stale by changes: reading a report again would be a change itself.
    queryKey: ['report', organizationId, report.id],
    queryFn: () => call<typeof readReport>('POST', `${REPORTS}/{reportId}/content`, { params }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const decide = useMutation({
    mutationFn: (outcome: NonNullable<Report['outcome']>) =>
      call<typeof decideReport>('POST', `${REPORTS}/{reportId}/decision`, { params, body: { outcome } }),
    onSuccess: ({ outcome = 'dismissed' }) => {
      changed('report')
      showToast({ text: t[outcome] })
      onClose()
    },
  })
  if (isSure)
    return (
      <Confirm
        title={t.confirm.title}
        text={t.confirm.text}
        costs={[t.confirm.way]}
        action={t.confirm.action}
        busy={decide.isPending}
        error={decide.error}
        onConfirm={() => decide.mutate('deleted')}
        onClose={() => setSure(false)}
      />
    )
  return (
    <Dialog title={t.title(named(report.sender.name))} size="wide" busy={decide.isPending} onClose={onClose}>
      <DialogBody>
        <Quiet>
          <bdi>{report.reason}</bdi>
        </Quiet>
        <Loaded query={content}>
          {({ message, reportedText }) => (
            <Stack>
              {message === undefined && <Quiet>{t.gone}</Quiet>}
              {message?.text !== reportedText && (
                <Stack tight>
                  <Quiet small>{t.reported}</Quiet>
                  <bdi>{reportedText}</bdi>
                </Stack>
              )}
              {message && <Said label={t.said} messages={[message]} />}
            </Stack>
          )}
        </Loaded>
        {decide.error && <ErrorNotice error={decide.error} />}
      </DialogBody>
      {report.outcome === undefined && (
        <DialogFoot>
          <Button look="quiet" busy={decide.isPending} onClick={() => decide.mutate('dismissed')}>
            {t.dismiss}
          </Button>
          <Button look="danger" onClick={() => setSure(true)}>
            {t.delete}
          </Button>
        </DialogFoot>
      )}
    </Dialog>
  )
}
