import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { inviteAgain, listPeople, Person, updatePerson } from '../../../../contract/people/members.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'
import { useTexts } from '../../texts/texts.ts'
import { useAddressChoice, useAddressSearch } from '../../ui/address.ts'
import { Badge, Button, Select, type Tone } from '../../ui/controls.tsx'
import { TextField } from '../../ui/form.tsx'
import { Name, named } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, ErrorState, Loaded, More } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useChanged, useSettings } from './changes.ts'
import { InvitationLink } from './invitation-link.tsx'
import { Access } from './member-access.tsx'
import { ChangeRole, type Ending, EndMembership, Invite } from './member-dialogs.tsx'

type Status = Person['status']
const STATUSES: readonly Status[] = ['Active', 'Pending', 'Archived', 'Deleted']
const TONES: Record<Status, Tone> = { Active: 'good', Pending: 'warn', Archived: 'neutral', Deleted: 'bad' }

/** What is open over the table. */
type Open =
  | { kind: 'invite'; email: string; name: string }
  | { kind: 'role'; person: Person }
  | { kind: 'link'; person: Person }
  | { kind: 'access'; person: Person }
  | { kind: 'end'; person: Person; ending: Ending }

export default function Members() {
  const t = useTexts(members)
  const c = useTexts(common)
  const { organizationId } = useMembership()
  const { typed, setTyped, rested } = useAddressSearch('q')
  const [status, setStatus] = useAddressChoice('status', STATUSES)
  const [open, setOpen] = useState<Open | undefined>(() =>
    // From elsewhere one comes here to invite somebody.
    new URLSearchParams(window.location.search).has('invite')
      ? { kind: 'invite', email: '', name: '' }
      : undefined,
  )
  const close = () => setOpen(undefined)

  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'member', 'list', { search: rested, status }),
    queryFn: ({ pageParam }) =>
      call<typeof listPeople>('GET', '/people/organizations/{organizationId}/members', {
        params: { organizationId },
        query: { search: rested, cursor: pageParam, ...(status !== '' && { status }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        <Button look="primary" onClick={() => setOpen({ kind: 'invite', email: '', name: '' })}>
          {t.invite}
        </Button>
      </PageHead>
      <div className="card">
        <div className="filters">
          <TextField
            label={t.search}
            type="search"
            autoComplete="off"
            maxLength={100}
            value={typed}
            onChange={setTyped}
          />
          <Select
            label={t.status}
            options={[['', t.anyStatus], ...STATUSES.map((one) => [one, c.statuses[one]] as const)]}
            value={status}
            onChange={setStatus}
          />
        </div>
        <Loaded query={query}>
          {({ pages }) => {
            const people = pages.flatMap((page) => page.members)
            return (
              <>
                <p className="hidden" role="status">
                  {t.count(people.length, query.hasNextPage)}
                </p>
                {people.length === 0 ? (
                  <Empty title={t.none.title}>
                    <p>{t.none.text}</p>
                    <Button
                      onClick={() => {
                        setTyped('')
                        setStatus('')
                      }}
                    >
                      {t.none.clear}
                    </Button>
                  </Empty>
                ) : (
                  <Table people={people} onOpen={setOpen} />
                )}
                <More query={query} />
              </>
            )
          }}
        </Loaded>
      </div>
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
      {open?.kind === 'access' && <Access person={open.person} onClose={close} />}
      {open?.kind === 'end' && <EndMembership person={open.person} ending={open.ending} onClose={close} />}
    </>
  )
}

function Table({ people, onOpen }: { people: readonly Person[]; onOpen: (open: Open) => void }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const { profileId } = useMembership()
  return (
    <div className="tablewrap">
      <table className="stacks">
        <caption className="hidden">{t.title}</caption>
        <thead>
          <tr>
            <th scope="col">{t.columns.person}</th>
            <th scope="col">{t.columns.role}</th>
            <th scope="col">{t.columns.status}</th>
            <th scope="col" className="end">
              {t.columns.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <td className="named">
                <span className="row tight">
                  <strong>
                    <Name text={person.name} />
                  </strong>
                  {person.id === profileId && <Badge>{t.you}</Badge>}
                </span>
                <span className="soft">
                  <Name text={person.email} />
                </span>
              </td>
              <td data-label={t.columns.role}>{c.roles[person.role]}</td>
              <td data-label={t.columns.status}>
                <State person={person} />
              </td>
              <td className="end">
                {person.id !== profileId && <Actions person={person} onOpen={onOpen} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function State({ person }: { person: Person }) {
  const t = useTexts(members)
  const c = useTexts(common)
  const until = person.status === 'Pending' ? person.invitationExpiresAt : undefined
  return (
    <>
      <Badge tone={TONES[person.status]}>{c.statuses[person.status]}</Badge>
      {until !== undefined && (
        <div className="soft small">
          {until > Date.now() ? (
            <>
              {t.expires} <Time at={until} />
            </>
          ) : (
            t.expired
          )}
        </div>
      )}
    </>
  )
}

function Actions({ person, onOpen }: { person: Person; onOpen: (open: Open) => void }) {
  const t = useTexts(members)
  const toast = useToast()
  const changed = useChanged()
  const { organizationId, role } = useMembership()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const params = { organizationId, memberId: person.id }
  const again = useMutation({
    mutationFn: () =>
      call<typeof inviteAgain>(
        'POST',
        '/people/organizations/{organizationId}/members/{memberId}/invitation',
        { params },
      ),
    onSuccess: () => {
      changed('member')
      toast(t.again.sent(named(person.email)))
    },
  })
  const restoring = useMutation({
    mutationFn: () =>
      call<typeof updatePerson>('PATCH', '/people/organizations/{organizationId}/members/{memberId}', {
        params,
        body: { status: 'Active' },
      }),
    // Who had not joined before comes back as invited.
    onSuccess: ({ name, status }) => {
      changed('member')
      toast(status === 'Pending' ? t.restore.invited(named(name)) : t.restore.done(named(name)))
    },
  })
  // Only owners decide on owners.
  if (person.role === 'owner' && role !== 'owner') return null

  const error = again.error ?? restoring.error
  const { name, status } = person
  const end = (ending: Ending) => (
    <Button
      look={['danger', 'small']}
      aria-label={t[ending].of(name)}
      onClick={() => onOpen({ kind: 'end', person, ending })}
    >
      {t[ending].action}
    </Button>
  )
  return (
    <>
      <div className="actions end tight">
        {status === 'Pending' && !sendsMail && (
          <Button look="small" aria-label={t.link.of(name)} onClick={() => onOpen({ kind: 'link', person })}>
            {t.link.action}
          </Button>
        )}
        {status === 'Pending' && sendsMail && (
          <Button
            look="small"
            busy={again.isPending}
            aria-label={t.again.of(name)}
            onClick={() => again.mutate()}
          >
            {t.again.action}
          </Button>
        )}
        {status === 'Archived' && (
          <Button
            look="small"
            busy={restoring.isPending}
            aria-label={t.restore.of(name)}
            onClick={() => restoring.mutate()}
          >
            {t.restore.action}
          </Button>
        )}
        {status === 'Deleted' && (
          <Button
            look="small"
            aria-label={t.reinvite.of(name)}
            onClick={() => onOpen({ kind: 'invite', email: person.email, name })}
          >
            {t.reinvite.action}
          </Button>
        )}
        {(status === 'Active' || status === 'Pending') && (
          <Button look="small" aria-label={t.role.of(name)} onClick={() => onOpen({ kind: 'role', person })}>
            {t.role.action}
          </Button>
        )}
        {status === 'Active' && (
          <Button
            look="small"
            aria-label={t.access.of(name)}
            onClick={() => onOpen({ kind: 'access', person })}
          >
            {t.access.action}
          </Button>
        )}
        {status === 'Active' && end('archive')}
        {(status === 'Active' || status === 'Archived') && end('delete')}
        {status === 'Pending' && end('withdraw')}
      </div>
      {error && <ErrorState error={error} />}
    </>
  )
}
