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
import { Button } from '../../kit/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { Face } from '../../kit/face.tsx'
import { TextField } from '../../kit/form.tsx'
import { Lines, Quiet, Stack } from '../../kit/layout.tsx'
import { BotChip } from '../../kit/marks.tsx'
import { named } from '../../kit/name.tsx'
import { ErrorNotice } from '../../kit/notice.tsx'
import { RowName } from '../../kit/row-name.tsx'
import { Loaded } from '../../kit/states.tsx'
import { common } from '../../texts/common.ts'
import { orgUnits } from '../../texts/org-units.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged, useRested } from './changes.ts'
import styles from './org-units.module.css'

const MEMBERS = '/people/organizations/{organizationId}/org-units/{orgUnitId}/members'
const SHOWN = 8

type Member = ConsoleOrgUnit['members'][number]
type Change = { member: Member; isIn: boolean }

/** The members of an org unit. Each click is saved at once. */
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
      <DialogBody>
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
        {change.isError && <ErrorNotice error={change.error} />}
        <p className={styles.done} role="status">
          {done}
        </p>
        <Stack tight>
          <h3 ref={inside} tabIndex={-1}>
            {t.people.inside}
          </h3>
          {unit.members.length === 0 && <Quiet>{t.nobody}</Quiet>}
          <Lines>
            {unit.members.map((member) => (
              <li key={member.id}>
                <Who member={member} />
                <Button
                  size="small"
                  busy={member.id === busyId}
                  aria-label={t.people.removeOne(member.name)}
                  onClick={() => change.mutate({ member, isIn: false })}
                >
                  {t.people.remove}
                </Button>
              </li>
            ))}
          </Lines>
        </Stack>
      </DialogBody>
      <DialogFoot>
        <Button onClick={onClose}>{c.close}</Button>
      </DialogFoot>
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
    <Stack tight>
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
          if (found.length === 0) return <Quiet>{t.people.nobodyFound}</Quiet>
          return (
            <Lines>
              {found.slice(0, SHOWN).map((member) => (
                <li key={member.id}>
                  <Who member={member} />
                  <Button
                    size="small"
                    busy={member.id === busyId}
                    aria-label={t.people.addOne(member.name)}
                    onClick={() => onAdd(member)}
                  >
                    {t.people.add}
                  </Button>
                </li>
              ))}
            </Lines>
          )
        }}
      </Loaded>
      {bots.isError && <ErrorNotice error={bots.error} onRetry={() => void bots.refetch()} />}
    </Stack>
  )
}

function Who({ member }: { member: Member }) {
  return (
    <RowName
      mark={<Face member={member} size={28} />}
      name={member.name}
      chip={member.type === 'bot' && <BotChip />}
    />
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
