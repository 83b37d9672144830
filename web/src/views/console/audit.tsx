import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { listBots } from '../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../contract/people/members.ts'
import type { AuditTarget, listAuditEntries } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { audit } from '../../texts/audit.ts'
import { useTexts } from '../../texts/texts.ts'
import { useAddressChoice } from '../../ui/address.ts'
import { Button, Field, Select } from '../../ui/controls.tsx'
import { TextField } from '../../ui/form.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded, More } from '../../ui/states.tsx'
import { Entry } from './audit-entry.tsx'
import { useRested } from './changes.ts'

const KINDS: readonly AuditTarget[] = ['organization', 'member', 'bot', 'label', 'org_unit', 'topic']
const ONLY = ['changes', 'sign_ins'] as const
const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000

/** What the address asks for: Back, a reload and a link find it again. */
function useFilters() {
  const [params, setParams] = useSearchParams()
  const [target, setTarget] = useAddressChoice('kind', KINDS)
  const [only, setOnly] = useAddressChoice('only', ONLY)
  const set = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value === '') after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  const day = (name: string) => {
    const text = params.get(name) ?? ''
    return DAY.test(text) ? text : ''
  }
  const [since, until] = [day('since'), day('until')]
  const [actorId, targetId] = [params.get('person') ?? '', params.get('thing') ?? '']
  const query = {
    ...(target !== '' && { target }),
    ...(only !== '' && { only }),
    ...(actorId !== '' && { actorId }),
    ...(targetId !== '' && { targetId }),
    // Days of the reader, the last one whole.
    ...(since !== '' && { from: new Date(`${since}T00:00`).getTime() }),
    ...(until !== '' && { to: new Date(`${until}T00:00`).getTime() + DAY_MS }),
  }
  return { target, setTarget, only, setOnly, since, until, actorId, targetId, set, query }
}

export default function Audit() {
  const t = useTexts(audit)
  const { organizationId } = useMembership()
  const filters = useFilters()
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'audit', 'list', filters.query),
    queryFn: ({ pageParam }) =>
      call<typeof listAuditEntries>('GET', '/people/organizations/{organizationId}/audit', {
        params: { organizationId },
        query: { cursor: pageParam, ...filters.query },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  const chosen = new URLSearchParams(Object.entries(filters.query).map(([name, value]) => [name, `${value}`]))
  const file = (format: 'csv' | 'json') =>
    `/people/organizations/${organizationId}/audit/export?${new URLSearchParams([...chosen, ['format', format]])}`
  return (
    <>
      <PageHead title={t.title} about={t.about}>
        <a className="button" href={file('csv')} download>
          {t.exportAs('CSV')}
        </a>
        <a className="button" href={file('json')} download>
          {t.exportAs('JSON')}
        </a>
      </PageHead>
      <div className="card">
        <Filters filters={filters} />
        <Loaded query={query}>
          {({ pages }) => {
            const entries = pages.flatMap((page) => page.entries)
            return (
              <>
                <p className="hidden" role="status">
                  {t.count(entries.length, query.hasNextPage)}
                </p>
                {entries.length === 0 ? (
                  <Empty title={t.none.title}>
                    <p>{t.none.text}</p>
                  </Empty>
                ) : (
                  <ol className="lines">
                    {entries.map((entry) => (
                      <Entry key={entry.id} entry={entry} />
                    ))}
                  </ol>
                )}
                <More query={query} />
              </>
            )
          }}
        </Loaded>
      </div>
    </>
  )
}

function Filters({ filters }: { filters: ReturnType<typeof useFilters> }) {
  const t = useTexts(audit)
  return (
    <div className="filters">
      <Select
        label={t.kind}
        options={[['', t.everything], ...KINDS.map((kind) => [kind, t.kinds[kind]] as const)]}
        value={filters.target}
        onChange={filters.setTarget}
      />
      <Select
        label={t.only.label}
        options={[['', t.only.all], ...ONLY.map((one) => [one, t.only[one]] as const)]}
        value={filters.only}
        onChange={filters.setOnly}
      />
      <DayField label={t.since} value={filters.since} onChange={(since) => filters.set({ since })} />
      <DayField label={t.until} value={filters.until} onChange={(until) => filters.set({ until })} />
      {filters.actorId === '' ? (
        <PersonFilter onChosen={(person) => filters.set({ person })} />
      ) : (
        <Chosen
          text={t.onlyPerson}
          id={filters.actorId}
          clear={t.clearPerson}
          onClear={() => filters.set({ person: '' })}
        />
      )}
      {filters.targetId !== '' && (
        <Chosen
          text={t.onlyThing}
          id={filters.targetId}
          clear={t.clearThing}
          onClear={() => filters.set({ thing: '' })}
        />
      )}
    </div>
  )
}

function DayField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (day: string) => void
}) {
  return (
    <Field label={label}>
      {(wiring) => (
        <input {...wiring} type="date" value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}

const SHOWN = 6

function useSearched(search: string): { id: string; name: string }[] {
  const { organizationId } = useMembership()
  const params = { organizationId }
  const query = useQuery({
    queryKey: keys.of(organizationId, 'member', 'audit', search),
    queryFn: async () => {
      const limit = SHOWN
      const { members } = await call<typeof listPeople>(
        'GET',
        '/people/organizations/{organizationId}/members',
        { params, query: { search, limit } },
      )
      const { bots } = await call<typeof listBots>('GET', '/people/organizations/{organizationId}/bots', {
        params,
        query: { search, limit },
      })
      return [...members, ...bots].slice(0, SHOWN)
    },
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  return search === '' ? [] : (query.data ?? [])
}

/** Somebody among thousands: the server looks for them. */
function PersonFilter({ onChosen }: { onChosen: (id: string) => void }) {
  const t = useTexts(audit)
  const [typed, setTyped] = useState('')
  const found = useSearched(useRested(typed.trim()))
  return (
    <div className="field">
      <TextField
        label={t.person}
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      {found.length > 0 && (
        <ul className="stack tight" aria-label={t.found}>
          {found.map(({ id, name }) => (
            <li key={id}>
              <Button look="small" onClick={() => onChosen(id)}>
                <Name text={name} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Chosen({
  text,
  id,
  clear,
  onClear,
}: {
  text: string
  id: string
  clear: string
  onClear: () => void
}) {
  const { organizationId } = useMembership()
  // The newest entry tells the name; whoever left has one there as well.
  const newest = useQuery({
    queryKey: keys.of(organizationId, 'audit', 'name', id),
    queryFn: async () => {
      const ask = (query: { actorId: string } | { targetId: string }) =>
        call<typeof listAuditEntries>('GET', '/people/organizations/{organizationId}/audit', {
          params: { organizationId },
          query: { ...query, limit: 1 },
        })
      const [asTarget] = (await ask({ targetId: id })).entries
      const [asActor] = asTarget ? [] : (await ask({ actorId: id })).entries
      return asTarget?.target.name ?? asActor?.actor.name ?? id
    },
  })
  return (
    <div className="field">
      <span>{text}</span>
      <div className="row">
        <strong>
          <Name text={newest.data ?? id} />
        </strong>
        <Button look="small" onClick={onClear}>
          {clear}
        </Button>
      </div>
    </div>
  )
}
