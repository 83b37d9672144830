import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, Trash2, Users } from 'lucide-react'
import { useState } from 'react'
import type {
  ConsoleOrgUnit,
  deleteOrgUnit,
  listConsoleOrgUnits,
} from '../../../../contract/people/org-units.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { FaceStack } from '../../kit/face.tsx'
import { Card } from '../../kit/form.tsx'
import { Row } from '../../kit/layout.tsx'
import { named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { RowName } from '../../kit/row-name.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { TableRows } from '../../kit/table-rows.tsx'
import { showToast } from '../../kit/toast.tsx'
import { orgUnits } from '../../texts/org-units.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged, useSettings, useSettingsChange } from './changes.ts'
import { EditOrgUnit } from './org-unit-edit.tsx'
import { OrgUnitMembers } from './org-unit-members.tsx'
import { SavedSwitch } from './saved-switch.tsx'

type Open = { kind: 'new' } | { kind: 'edit' | 'members' | 'delete'; id: string }

export default function OrgUnits() {
  const t = useTexts(orgUnits)
  const { organizationId } = useMembership()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const query = useQuery({
    queryKey: keys.of(organizationId, 'org_unit', 'list'),
    queryFn: () =>
      call<typeof listConsoleOrgUnits>('GET', '/people/organizations/{organizationId}/org-units', {
        params: { organizationId },
      }),
  })
  // Looked up by id, so that an open dialog shows changes.
  const unit =
    open !== undefined && 'id' in open ? query.data?.orgUnits.find(({ id }) => id === open.id) : undefined
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        <Button look="primary" onClick={() => setOpen({ kind: 'new' })}>
          {t.create}
        </Button>
      </PageHead>
      <Restriction />
      <Loaded query={query}>
        {(data) =>
          data.orgUnits.length === 0 ? (
            <Empty title={t.none.title}>
              <p>{t.none.text}</p>
            </Empty>
          ) : (
            <UnitTable units={data.orgUnits} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.kind === 'new' && <EditOrgUnit onClose={close} />}
      {open?.kind === 'edit' && unit && <EditOrgUnit unit={unit} onClose={close} />}
      {open?.kind === 'members' && unit && <OrgUnitMembers unit={unit} onClose={close} />}
      {open?.kind === 'delete' && unit && <Delete unit={unit} onClose={close} />}
    </>
  )
}

function Restriction() {
  const t = useTexts(orgUnits).restriction
  const settings = useSettings()
  const change = useSettingsChange()
  return (
    <Card title={t.title}>
      <Loaded query={settings}>
        {({ restrictToOrgUnits }) => (
          <SavedSwitch
            label={t.label}
            about={restrictToOrgUnits ? t.on : t.off}
            isOn={restrictToOrgUnits}
            onChange={async (isOn) => {
              await change({ restrictToOrgUnits: isOn })
              showToast({ text: isOn ? t.turnedOn : t.turnedOff })
            }}
          />
        )}
      </Loaded>
    </Card>
  )
}

function UnitTable({ units, onOpen }: { units: readonly ConsoleOrgUnit[]; onOpen: (open: Open) => void }) {
  const t = useTexts(orgUnits)
  return (
    <TableRows
      label={t.title}
      rows={units}
      nameOf={({ name }) => name}
      columns={[
        { label: t.editing.name, cell: ({ name, tag }) => <RowName name={name} note={`@${tag}`} /> },
        { label: t.editing.type, width: '18%', cell: ({ type }) => t.types[type] },
        {
          label: t.columns.members,
          width: '30%',
          cell: ({ members }) => (
            <Row>
              <FaceStack members={members} />
              {members.length === 0 ? t.nobody : t.members(members.length)}
            </Row>
          ),
        },
      ]}
      menu={({ id }) => [
        { label: t.people.action, icon: Users, onSelect: () => onOpen({ kind: 'members', id }) },
        { label: t.edit.action, icon: Pencil, onSelect: () => onOpen({ kind: 'edit', id }) },
        {
          label: t.delete.action,
          icon: Trash2,
          danger: true,
          onSelect: () => onOpen({ kind: 'delete', id }),
        },
      ]}
    />
  )
}

function Delete({ unit, onClose }: { unit: ConsoleOrgUnit; onClose: () => void }) {
  const t = useTexts(orgUnits).delete
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteOrgUnit>('DELETE', '/people/organizations/{organizationId}/org-units/{orgUnitId}', {
        params: { organizationId, orgUnitId: unit.id },
      }),
    onSuccess: () => {
      changed('org_unit')
      showToast({ text: t.done(named(unit.name)) })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(unit.name))}
      text={t.text}
      action={t.action}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
