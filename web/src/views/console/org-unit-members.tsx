import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { ConsoleBot, listBots } from '../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../contract/people/members.ts'
import type {
  addConsoleOrgUnitMembers,
  ConsoleOrgUnit,
  removeConsoleOrgUnitMembers,
} from '../../../../contract/people/org-units.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { orgUnits } from '../../texts/org-units.ts'
import { useTexts } from '../../texts/texts.ts'
import { Badge, Button } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form.tsx'
import { Name, named } from '../../ui/name.tsx'
import { ErrorState, Loaded } from '../../ui/states.tsx'
import { useChanged, useRested } from './changes.ts'

const MEMBERS = '/people/organizations/{organizationId}/org-units/{orgUnitId}/members'
const SHOWN = 8

type Member = ConsoleOrgUnit['members'][number]
type Change = { member: Member; isIn: boolean }

/** Who is in an org unit. Each click is saved at once. */
export function OrgUnitMembers({ unit, onClose }: { unit: ConsoleOrgUnit; onClose: () => void }) {
  const t = useTexts(orgUnits)
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [search, setSearch] = useState('')
  const [done, setDone] = useState('')
  const found = useRef<HTMLHeadingElement>(null)
  const inside = useRef<HTMLHeadingElement>(null)
  const change = useMutation({
    mutationFn: ({ member, isIn }: Change) => {
      const input = { params: { organizationId, orgUnitId: unit.id }, body: { memberIds: [member.id] } }
      return isIn
        ? call<typeof addConsoleOrgUnitMembers>('POST', MEMBERS, input)
        : call<typeof removeConsoleOrgUnitMembers>('DELETE', MEMBERS, input)
    },
    onSuccess: (_answer, { member, isIn }) => {
      setDone(isIn ? t.people.added(member.name) : t.people.removed(member.name))
      // The button that was pressed goes away with its line.
      const heading = isIn ? found : inside
      heading.current?.focus()
    },
    onSettled: () => changed('org_unit'),
  })
  const busyId = change.isPending ? change.variables.member.id : undefined
  return (
    <Dialog title={t.people.title(named(unit.name))} onClose={onClose}>
      <TextField
        label={t.people.search}
        hint={t.people.searchHint}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={search}
        onChange={setSearch}
      />
      <Candidates
        unit={unit}
        search={search}
        heading={found}
        busyId={busyId}
        onAdd={(member) => change.mutate({ member, isIn: true })}
      />
      {change.isError && <ErrorState error={change.error} />}
      <p className={done === '' ? 'hidden' : 'done'} role="status">
        {done}
      </p>
      <section className="stack tight">
        <h3 ref={inside} tabIndex={-1}>
          {t.people.inside}
        </h3>
        {unit.members.length === 0 && <p className="soft">{t.nobody}</p>}
        <ul className="lines">
          {unit.members.map((member) => (
            <li key={member.id}>
              <Who member={member} />
              <Button
                look="small"
                busy={member.id === busyId}
                aria-label={t.people.removeOne(member.name)}
                onClick={() => change.mutate({ member, isIn: false })}
              >
                {t.people.remove}
              </Button>
            </li>
          ))}
        </ul>
      </section>
      <div className="actions end">
        <Button onClick={onClose}>{c.close}</Button>
      </div>
    </Dialog>
  )
}

function Candidates({
  unit,
  search,
  heading,
  busyId,
  onAdd,
}: {
  unit: ConsoleOrgUnit
  search: string
  heading: RefObject<HTMLHeadingElement | null>
  busyId: string | undefined
  onAdd: (member: Member) => void
}) {
  const t = useTexts(orgUnits)
  const { organizationId } = useMembership()
  const rested = useRested(search.trim())
  const params = { organizationId }
  const people = useQuery({
    queryKey: keys.of(organizationId, 'member', 'active', rested),
    queryFn: () =>
      call<typeof listPeople>('GET', '/people/organizations/{organizationId}/members', {
        params,
        query: { status: 'Active', search: rested },
      }),
    placeholderData: keepPreviousData,
  })
  const bots = useQuery({
    queryKey: keys.of(organizationId, 'bot', 'all'),
    queryFn: () => allBots(organizationId),
  })
  return (
    <section className="stack tight">
      <h3 ref={heading} tabIndex={-1}>
        {t.people.found}
      </h3>
      <Loaded query={people}>
        {({ members }) => {
          const isIn = new Set(unit.memberIds)
          const word = rested.toLowerCase()
          const found: Member[] = [
            ...members.map(({ id, name }) => ({ id, name, type: 'user' as const })),
            ...(bots.data ?? [])
              .filter(({ active, name }) => active && name.toLowerCase().includes(word))
              .map(({ id, name }) => ({ id, name, type: 'bot' as const })),
          ].filter(({ id }) => !isIn.has(id))
          if (found.length === 0) return <p className="soft">{t.people.nobodyFound}</p>
          return (
            <ul className="lines">
              {found.slice(0, SHOWN).map((member) => (
                <li key={member.id}>
                  <Who member={member} />
                  <Button
                    look="small"
                    busy={member.id === busyId}
                    aria-label={t.people.addOne(member.name)}
                    onClick={() => onAdd(member)}
                  >
                    {t.people.add}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      {bots.isError && <ErrorState error={bots.error} onRetry={() => void bots.refetch()} />}
    </section>
  )
}

function Who({ member }: { member: Member }) {
  const t = useTexts(orgUnits)
  return (
    <span className="row tight">
      <Name text={member.name} />
      {member.type === 'bot' && <Badge>{t.bot}</Badge>}
    </span>
  )
}

/** The server has no search among bots, and there are few: all of them, page by page. */
async function allBots(organizationId: string): Promise<ConsoleBot[]> {
  const bots: ConsoleBot[] = []
  let cursor: string | undefined = ''
  while (cursor !== undefined) {
    const page: Awaited<ReturnType<typeof call<typeof listBots>>> = await call<typeof listBots>(
      'GET',
      '/people/organizations/{organizationId}/bots',
      { params: { organizationId }, query: { limit: LIMITS.pageMax, cursor } },
    )
    bots.push(...page.bots)
    cursor = page.nextCursor
  }
  return bots
}
