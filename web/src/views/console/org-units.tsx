import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  ConsoleOrgUnit,
  deleteOrgUnit,
  listConsoleOrgUnits,
} from '../../../../contract/people/org-units.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { orgUnits } from '../../texts/org-units.ts'
import { useTexts } from '../../texts/texts.ts'
import { Badge, Button } from '../../ui/controls.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Name, named } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useChanged, useSettings, useSettingsChange } from './changes.ts'
import { EditOrgUnit } from './org-unit-edit.tsx'
import { OrgUnitMembers } from './org-unit-members.tsx'
import { Switch } from './switch.tsx'

const SHOWN_NAMES = 8

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
  // By its id, so that an open window shows what changes meanwhile.
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
            <div className="card">
              <Empty title={t.none.title}>
                <p>{t.none.text}</p>
              </Empty>
            </div>
          ) : (
            <ul className="grid wide">
              {data.orgUnits.map((one) => (
                <li className="card" key={one.id}>
                  <Unit unit={one} onOpen={(kind) => setOpen({ kind, id: one.id })} />
                </li>
              ))}
            </ul>
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
  const toast = useToast()
  return (
    <section className="card padded">
      <h2>{t.title}</h2>
      <Loaded query={settings}>
        {({ restrictToOrgUnits }) => (
          <Switch
            label={t.label}
            hint={restrictToOrgUnits ? t.on : t.off}
            isOn={restrictToOrgUnits}
            onChange={async (isOn) => {
              await change({ restrictToOrgUnits: isOn })
              toast(isOn ? t.turnedOn : t.turnedOff)
            }}
          />
        )}
      </Loaded>
    </section>
  )
}

function Unit({
  unit,
  onOpen,
}: {
  unit: ConsoleOrgUnit
  onOpen: (kind: 'edit' | 'members' | 'delete') => void
}) {
  const t = useTexts(orgUnits)
  const { name, tag, type, members } = unit
  const hidden = members.length - SHOWN_NAMES
  return (
    <>
      <header>
        <div className="stack tight">
          <h2>
            <Name text={name} />
          </h2>
          <p className="row tight soft">
            <code>
              @<Name text={tag} />
            </code>
            <Badge>{t.types[type]}</Badge>
          </p>
        </div>
        <div className="actions tight">
          <Button look="small" aria-label={t.edit.of(name)} onClick={() => onOpen('edit')}>
            {t.edit.action}
          </Button>
          <Button look={['danger', 'small']} aria-label={t.delete.of(name)} onClick={() => onOpen('delete')}>
            {t.delete.action}
          </Button>
        </div>
      </header>
      <div className="inner">
        <p className="soft small">{members.length === 0 ? t.nobody : t.members(members.length)}</p>
        {members.length > 0 && (
          <ul className="chips">
            {members.slice(0, SHOWN_NAMES).map((member) => (
              <li className="chip" key={member.id}>
                <Name text={member.name} />
                {member.type === 'bot' && <Badge>{t.bot}</Badge>}
              </li>
            ))}
            {hidden > 0 && <li className="soft">{t.others(hidden)}</li>}
          </ul>
        )}
        <div>
          <Button look="small" aria-label={t.people.of(name)} onClick={() => onOpen('members')}>
            {t.people.action}
          </Button>
        </div>
      </div>
    </>
  )
}

function Delete({ unit, onClose }: { unit: ConsoleOrgUnit; onClose: () => void }) {
  const t = useTexts(orgUnits).delete
  const toast = useToast()
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteOrgUnit>('DELETE', '/people/organizations/{organizationId}/org-units/{orgUnitId}', {
        params: { organizationId, orgUnitId: unit.id },
      }),
    onSuccess: () => {
      changed('org_unit')
      toast(t.done(named(unit.name)))
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
