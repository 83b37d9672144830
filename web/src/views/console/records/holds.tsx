import { useMutation } from '@tanstack/react-query'
import { Download, Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { endHold, HeldRecord, Hold, listHolds, readHeld } from '../../../../../contract/people/holds.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import { Card } from '../../../kit/form.tsx'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import { Name, named } from '../../../kit/name.tsx'
import { Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { recordsTexts } from '../../../texts/records.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import { useListPage } from '../list-page.ts'
import { useReading } from '../readings/ask-reading.tsx'
import { saveText } from '../topics/topic-data.ts'
import { SetHold } from './set-hold.tsx'

const HOLDS = '/people/organizations/{organizationId}/holds'

/** Legal holds: messages that must not be deleted. */
export function Holds() {
  const t = useTexts(recordsTexts).holds
  const errorText = useErrorText()
  const nameOf = useHoldName()
  const address = useTableAddress({ filters: { state: ['ended'] }, sorts: ['at'], sort: ['at', 'desc'] })
  const { state, cursor } = address.asked
  const isEnded = state === 'ended'
  const query = useListPage({
    kind: 'hold',
    list: ['list'],
    asked: { isEnded, cursor },
    read: async (asked, organizationId) => {
      const { holds: rows, ...page } = await call<typeof listHolds>('GET', HOLDS, {
        params: { organizationId },
        query: {
          state: asked.isEnded ? 'ended' : 'standing',
          ...(asked.cursor !== undefined && { cursor: asked.cursor }),
        },
      })
      return { rows, ...page }
    },
  })
  const [isSetting, setSetting] = useState(false)
  const [ending, setEnding] = useState<Hold>()
  const exportHold = useHoldExport()
  const { read, dialog } = useReading()
  const failed = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' })
  return (
    <Card
      title={t.title}
      about={t.about}
      isWide
      actions={
        <Button icon={Plus} onClick={() => setSetting(true)}>
          {t.set}
        </Button>
      }
    >
      <Table
        label={isEnded ? t.ended : t.standing}
        address={address}
        query={query}
        nameOf={nameOf}
        filters={[{ name: 'state', label: t.state, any: t.standing, options: [['ended', t.ended]] }]}
        columns={[
          { label: t.columns.what, width: '26%', cell: (hold) => <What hold={hold} /> },
          { label: t.columns.reason, cell: ({ reason }) => <bdi>{reason}</bdi> },
          { label: t.columns.by, width: '18%', cell: ({ setBy }) => <Name text={setBy.name} /> },
          {
            label: isEnded ? t.columns.ended : t.columns.at,
            width: '16%',
            cell: ({ setAt, endedAt }) => <Time at={endedAt ?? setAt} />,
          },
        ]}
        menu={(hold) =>
          hold.endedAt !== undefined
            ? []
            : [
                {
                  label: t.export,
                  icon: Download,
                  onSelect: () =>
                    void read({ type: 'hold', id: hold.id, name: nameOf(hold) }, () => exportHold(hold)).then(
                      (count) => count !== undefined && showToast({ text: t.exported(count) }),
                      failed,
                    ),
                },
                { label: t.end.action, icon: X, onSelect: () => setEnding(hold) },
              ]
        }
        count={t.count}
        empty={t.none}
      />
      {dialog}
      {isSetting && <SetHold onClose={() => setSetting(false)} />}
      {ending && <End hold={ending} onClose={() => setEnding(undefined)} />}
    </Card>
  )
}

function useHoldName(): (hold: Hold) => string {
  const t = useTexts(recordsTexts).holds
  return ({ topic, member }) => topic?.name ?? member?.name ?? t.kinds.organization
}

function What({ hold }: { hold: Hold }) {
  const t = useTexts(recordsTexts).holds
  const name = useHoldName()(hold)
  const kind = hold.topic ? t.kindOf.topic : hold.member ? t.kindOf.member : undefined
  return (
    <Stack tight>
      <strong>
        <Name text={name} />
      </strong>
      {kind !== undefined && <Quiet small>{kind}</Quiet>}
    </Stack>
  )
}

function End({ hold, onClose }: { hold: Hold; onClose: () => void }) {
  const t = useTexts(recordsTexts).holds.end
  const { organizationId } = useMembership()
  const changed = useChanged()
  const name = useHoldName()(hold)
  const end = useMutation({
    mutationFn: () =>
      call<typeof endHold>('POST', `${HOLDS}/{holdId}/end`, { params: { organizationId, holdId: hold.id } }),
    onSuccess: () => {
      changed('hold')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(name))}
      text={t.text}
      costs={[t.time, t.way]}
      action={t.action}
      busy={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  )
}

/** Hands the reader a file with all that a hold keeps, a line for each; tells how many there are. */
function useHoldExport() {
  const { organizationId } = useMembership()
  const changed = useChanged()
  return async (hold: Hold): Promise<number> => {
    const records: HeldRecord[] = []
    for (let after: string | undefined; ; ) {
      const page = await call<typeof readHeld>('POST', `${HOLDS}/{holdId}/records`, {
        params: { organizationId, holdId: hold.id },
        body: after === undefined ? {} : { after },
      })
      records.push(...page.records)
      after = page.next
      if (after === undefined) break
    }
    changed()
    saveText(
      `hold-${hold.id}.jsonl`,
      'application/jsonl',
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    )
    return records.length
  }
}
