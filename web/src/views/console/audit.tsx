import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import type { listBots } from '../../../../contract/people/bots.ts'
import type { listPeople } from '../../../../contract/people/members.ts'
import type { AuditTarget, listAuditEntries } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { useAddressChoice } from '../../kit/address.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../kit/button.tsx'
import { FilterBar, FilterMoment, FilterPill, FilterSearch } from '../../kit/filters.tsx'
import { Lines, Row, Stack } from '../../kit/layout.tsx'
import { Name } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Empty, Loaded, More } from '../../kit/states.tsx'
import { VisuallyHidden } from '../../kit/visually-hidden.tsx'
import { audit } from '../../texts/audit.ts'
import { useTexts } from '../../texts/texts.ts'
import styles from './audit.module.css'
import { Entry } from './audit-entry.tsx'
import { useRested } from './changes.ts'

const KINDS: readonly AuditTarget[] = ['organization', 'member', 'bot', 'label', 'org_unit', 'group', 'topic']
const ONLY = ['changes', 'sign_ins'] as const
const DAY = /^\d{4}-\d\d-\d\d$/
const DAY_MS = 86_400_000

/** Filters from the address: Back, a reload and a link find them again. */
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
        <ButtonLink to={`/console/${organizationId}/audit/delivery`}>{t.delivery}</ButtonLink>
        <ButtonAnchor href={file('csv')} download icon={Download}>
          {t.exportAs('CSV')}
        </ButtonAnchor>
        <ButtonAnchor href={file('json')} download icon={Download}>
          {t.exportAs('JSON')}
        </ButtonAnchor>
      </PageHead>
      <Filters filters={filters} />
      <Loaded query={query}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          return (
            <>
              <VisuallyHidden live>{t.count(entries.length, query.hasNextPage)}</VisuallyHidden>
              {entries.length === 0 ? (
                <Empty title={t.none.title}>
                  <p>{t.none.text}</p>
                </Empty>
              ) : (
                <Lines ordered>
                  {entries.map((entry) => (
                    <Entry key={entry.id} entry={entry} />
                  ))}
                </Lines>
              )}
              <More query={query} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Filters({ filters }: { filters: ReturnType<typeof useFilters> }) {
  const t = useTexts(audit)
  return (
    <Stack>
      <FilterBar>
        <FilterPill
          filter={{
            label: t.kind,
            any: t.everything,
            options: KINDS.map((kind) => [kind, t.kinds[kind]] as const),
          }}
          value={filters.target}
          onChange={filters.setTarget}
        />
        <FilterPill
          filter={{
            label: t.only.label,
            any: t.only.all,
            options: ONLY.map((one) => [one, t.only[one]] as const),
          }}
          value={filters.only}
          onChange={filters.setOnly}
        />
        <FilterMoment
          type="date"
          label={t.since}
          value={filters.since}
          onChange={(since) => filters.set({ since })}
        />
        <FilterMoment
          type="date"
          label={t.until}
          value={filters.until}
          onChange={(until) => filters.set({ until })}
        />
        {filters.actorId === '' && <PersonFilter onChosen={(person) => filters.set({ person })} />}
      </FilterBar>
      {filters.actorId !== '' && (
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
    </Stack>
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

/** Searches people on the server: an organization may have thousands. */
function PersonFilter({ onChosen }: { onChosen: (id: string) => void }) {
  const t = useTexts(audit)
  const [typed, setTyped] = useState('')
  const found = useSearched(useRested(typed.trim()))
  return (
    <>
      <FilterSearch label={t.person} value={typed} onChange={setTyped} />
      {found.length > 0 && (
        <ul className={styles.found} aria-label={t.found}>
          {found.map(({ id, name }) => (
            <li key={id}>
              <Button size="small" onClick={() => onChosen(id)}>
                <Name text={name} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
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
  // The newest entry tells the name; people who have left have one there as well.
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
    <Row>
      <span>{text}</span>
      <strong>
        <Name text={newest.data ?? id} />
      </strong>
      <Button size="small" onClick={onClear}>
        {clear}
      </Button>
    </Row>
  )
}
