import { Archive, LogOut, Shield, UserPlus, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ROLES } from '../../../../../contract/operation.ts'
import type { listPeople, PEOPLE_SORTS, Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button, ButtonLink } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import { Chip } from '../../../kit/marks.tsx'
import { StateMark, type Tone } from '../../../kit/notice.tsx'
import { PageHead } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { type Column, Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { common } from '../../../texts/common.ts'
import { erasureTexts } from '../../../texts/erasure.ts'
import { members } from '../../../texts/members.ts'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useListPage } from '../list-page.ts'
import { type Bulk, BulkChange } from './bulk-change.tsx'
import { ErasePerson } from './erasure.tsx'
import { GuestEnd } from './guest-end.tsx'
import { InvitationLink } from './invitation-link.tsx'
import { InviteMany } from './invite-many.tsx'
import { Access } from './member-access.tsx'
import { ChangeRole, type Ending, EndMembership, Invite } from './member-dialogs.tsx'
import { useMemberMenu } from './member-menu.ts'
import styles from './members.module.css'
import { MissingInvitations } from './missing-invitations.tsx'

const STATUSES: readonly Person['status'][] = ['Active', 'Pending', 'Archived', 'Deleted']
const SORTS: readonly (typeof PEOPLE_SORTS)[number][] = ['name', 'lastSeen', 'createdAt']
const TONES: Record<Person['status'], Tone> = {
  Active: 'good',
  Pending: 'warn',
  Archived: 'plain',
  Deleted: 'bad',
}

const BULK_ACTIONS = [
  ['role', Shield],
  ['sessions', LogOut],
  ['archive', Archive],
] as const

/** The dialog over the table. */
export type Open =
  | { kind: 'invite'; email: string; name: string }
  | { kind: 'role'; person: Person }
  | { kind: 'guest-end'; person: Person }
  | { kind: 'link'; person: Person }
  | { kind: 'access'; person: Person }
  | { kind: 'end'; person: Person; ending: Ending }
  | { kind: 'erase'; person: Person }
  | { kind: 'invite-many' }
  | ({ kind: 'bulk' } & Bulk)

export default function Members() {
  const t = useTexts(members)
  const c = useTexts(common)
  const { nameless } = useTexts(erasureTexts)
  const { organizationId } = useMembership()
  const [open, setOpen] = useState<Open | undefined>(() =>
    // Other pages link here with `?invite`.
    new URLSearchParams(window.location.search).has('invite')
      ? { kind: 'invite', email: '', name: '' }
      : undefined,
  )
  const close = () => setOpen(undefined)
  const { menu, asked } = useMemberMenu(setOpen)
  const columns = useColumns()
  const address = useTableAddress({
    filters: { status: STATUSES, role: ROLES },
    sorts: SORTS,
    sort: ['name', 'asc'],
  })
  const query = useListPage({
    kind: 'member',
    list: ['list'],
    asked: address.asked,
    read: async (asked, organizationId) => {
      const { members: rows, ...page } = await call<typeof listPeople>(
        'GET',
        '/people/organizations/{organizationId}/members',
        { params: { organizationId }, query: asked },
      )
      return { rows: rows.map((row) => (row.erased ? { ...row, name: nameless } : row)), ...page }
    },
  })
  const { role, search } = address.asked
  const filters = { ...(role && { role }), ...(search && { search }) }
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        <ButtonLink to={`/console/${organizationId}/members/links`}>{t.links}</ButtonLink>
        <Button icon={Users} onClick={() => setOpen({ kind: 'invite-many' })}>
          {t.many.open}
        </Button>
        <Button
          look="primary"
          icon={UserPlus}
          onClick={() => setOpen({ kind: 'invite', email: '', name: '' })}
        >
          {t.invite}
        </Button>
      </PageHead>
      <MissingInvitations filters={filters} />
      <Table
        label={t.title}
        address={address}
        query={query}
        columns={columns}
        nameOf={({ name }) => name}
        search={t.search}
        filters={[
          {
            name: 'status',
            label: t.status,
            any: t.anyStatus,
            options: STATUSES.map((one) => [one, c.statuses[one]] as const),
          },
          {
            name: 'role',
            label: t.columns.role,
            any: t.anyRole,
            options: ROLES.map((one) => [one, c.roles[one]] as const),
          },
        ]}
        menu={menu}
        isSelectable={(person) => menu(person).length > 0 && person.status !== 'Deleted'}
        bulk={(people, clear) =>
          BULK_ACTIONS.map(([kind, icon]) => (
            <Button
              key={kind}
              size="small"
              icon={icon}
              onClick={() => setOpen({ kind: 'bulk', action: kind, people, clear })}
            >
              {t.bulk[kind].action}
            </Button>
          ))
        }
        count={t.count}
        empty={t.none}
      />
      {asked}
      {open?.kind === 'invite' && (
        <Invite
          email={open.email}
          name={open.name}
          onInvited={(person) => setOpen({ kind: 'link', person })}
          onClose={close}
        />
      )}
      {open?.kind === 'link' && <InvitationLink person={open.person} onClose={close} />}
      {open?.kind === 'role' && <ChangeRole person={open.person} onClose={close} />}
      {open?.kind === 'guest-end' && <GuestEnd person={open.person} onClose={close} />}
      {open?.kind === 'access' && <Access person={open.person} onClose={close} />}
      {open?.kind === 'erase' && <ErasePerson person={open.person} onClose={close} />}
      {open?.kind === 'invite-many' && <InviteMany onClose={close} />}
      {open?.kind === 'bulk' && <BulkChange {...open} onClose={close} />}
      {open?.kind === 'end' && <EndMembership person={open.person} ending={open.ending} onClose={close} />}
    </>
  )
}

function useColumns(): readonly Column<Person, (typeof PEOPLE_SORTS)[number]>[] {
  const t = useTexts(members)
  const c = useTexts(common)
  const { right } = useTexts(readingTexts)
  const { profileId } = useMembership()
  return [
    {
      label: t.columns.person,
      sort: 'name',
      cell: (person) => (
        <RowName
          mark={<Face member={{ id: person.id, name: person.name, type: 'user' }} size={32} />}
          name={person.name}
          chip={person.id === profileId && <Chip>{t.you}</Chip>}
          note={person.email}
        />
      ),
    },
    {
      label: t.columns.role,
      width: '14%',
      cell: ({ role, mayReadContent, guestUntil }) => (
        <Stack tight>
          <span>{c.roles[role]}</span>
          {guestUntil !== undefined && (
            <Quiet small>
              {t.guestEnd.until} <Time at={guestUntil} />
            </Quiet>
          )}
          {mayReadContent && <Quiet small>{right.mark}</Quiet>}
        </Stack>
      ),
    },
    { label: t.columns.status, width: '22%', cell: (person) => <State person={person} /> },
    {
      label: t.columns.lastSeen,
      width: '16%',
      sort: 'lastSeen',
      startsWith: 'desc',
      cell: ({ lastSeenAt }) => (lastSeenAt === undefined ? t.neverSeen : <Time at={lastSeenAt} />),
    },
  ]
}

function State({ person: { status, invitationDueAt, invitationExpiresAt } }: { person: Person }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const mark = (words: string, note?: ReactNode) => (
    <span className={styles.words}>
      <StateMark tone={TONES[status]}>{words}</StateMark>
      {note !== undefined && <span className={styles.until}>{note}</span>}
    </span>
  )
  if (status !== 'Pending') return mark(c.statuses[status])
  if (invitationDueAt !== undefined) return mark(t.notInvited, t.waits)
  if (invitationExpiresAt === undefined) return mark(t.notInvited)
  if (invitationExpiresAt <= Date.now()) return mark(c.statuses.Pending, t.expired)
  return mark(
    c.statuses.Pending,
    <>
      {t.expires} <Time at={invitationExpiresAt} />
    </>,
  )
}
