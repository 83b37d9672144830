import { useMutation } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import type {
  decideReading,
  endReading,
  listReadings,
  Reading,
} from '../../../../../contract/people/readings.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { useErrorText } from '../../../kit/error-text.ts'
import { Quiet, Stack } from '../../../kit/layout.tsx'
import type { MenuEntry } from '../../../kit/menu.tsx'
import { Name, named, Words } from '../../../kit/name.tsx'
import { StateMark, type Tone } from '../../../kit/notice.tsx'
import { PageHead } from '../../../kit/page.tsx'
import { Table } from '../../../kit/table.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import { NamedCell, useStateList } from '../state-list.tsx'

const READINGS = '/people/organizations/{organizationId}/readings'
const TONES: Record<Reading['state'], Tone> = {
  waiting: 'warn',
  open: 'good',
  refused: 'bad',
  ended: 'plain',
}

/** Readings of content by people who are not part of it, open ones and requests. */
export default function Readings() {
  const t = useTexts(readingTexts)
  const { address, query } = useStateList({
    kind: 'reading',
    state: 'waiting',
    read: async ({ isFiltered, cursor }, organizationId) => {
      const { readings: rows, ...page } = await call<typeof listReadings>('GET', READINGS, {
        params: { organizationId },
        query: { state: isFiltered ? 'waiting' : 'all', ...cursor },
      })
      return { rows, ...page }
    },
  })
  const menu = useReadingMenu()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Table
        label={t.title}
        address={address}
        query={query}
        nameOf={({ subject }) => subject.name}
        filters={[{ name: 'state', label: t.state, any: t.all, options: [['waiting', t.onlyWaiting]] }]}
        columns={[
          { label: t.columns.what, width: '26%', cell: (reading) => <What reading={reading} /> },
          { label: t.columns.reason, cell: ({ reason }) => <bdi>{reason}</bdi> },
          { label: t.columns.by, width: '16%', cell: ({ askedBy }) => <Name text={askedBy.name} /> },
          { label: t.columns.at, width: '12%', cell: ({ askedAt }) => <Time at={askedAt} /> },
          { label: t.columns.state, width: '20%', cell: (reading) => <State reading={reading} /> },
        ]}
        menu={menu}
        count={t.count}
        empty={t.none}
      />
    </>
  )
}

function What({ reading: { subject } }: { reading: Reading }) {
  const t = useTexts(readingTexts)
  return <NamedCell name={subject.name}>{t.kinds[subject.type]}</NamedCell>
}

function State({ reading: { state, askedBy, decidedBy, endsAt } }: { reading: Reading }) {
  const t = useTexts(readingTexts)
  const isByAnother = decidedBy !== undefined && decidedBy.id !== askedBy.id
  const decided = state === 'refused' ? t.refusedBy : t.grantedBy
  return (
    <Stack tight>
      <StateMark tone={TONES[state]}>{t.states[state]}</StateMark>
      {(state === 'open' || state === 'waiting') && (
        <Quiet small>
          {t.until} <Time at={endsAt} exact />
        </Quiet>
      )}
      {isByAnother && (
        <Quiet small>
          <Words text={decided(named(decidedBy.name))} />
        </Quiet>
      )}
    </Stack>
  )
}

/** Owners decide on what others ask for; they, and who asked, end it. */
function useReadingMenu(): (reading: Reading) => readonly MenuEntry[] {
  const t = useTexts(readingTexts)
  const { organizationId, role, profileId } = useMembership()
  const changed = useChanged()
  const errorText = useErrorText()
  const done = (text: string) => {
    changed('reading')
    showToast({ text })
  }
  const onError = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' })
  const decide = useMutation({
    mutationFn: ({ id, outcome }: { id: string; outcome: 'granted' | 'refused' }) =>
      call<typeof decideReading>('POST', `${READINGS}/{readingId}/decision`, {
        params: { organizationId, readingId: id },
        body: { outcome },
      }),
    onSuccess: (_reading, { outcome }) => done(t[outcome]),
    onError,
  })
  const end = useMutation({
    mutationFn: (id: string) =>
      call<typeof endReading>('POST', `${READINGS}/{readingId}/end`, {
        params: { organizationId, readingId: id },
      }),
    onSuccess: () => done(t.ended),
    onError,
  })
  return ({ id, state, askedBy }) => {
    const isOwn = askedBy.id === profileId
    const isOwner = role === 'owner'
    return [
      ...(state === 'waiting' && isOwner && !isOwn
        ? [
            { label: t.grant, icon: Check, onSelect: () => decide.mutate({ id, outcome: 'granted' }) },
            {
              label: t.refuse,
              icon: X,
              danger: true,
              onSelect: () => decide.mutate({ id, outcome: 'refused' }),
            },
          ]
        : []),
      ...((state === 'open' || (state === 'waiting' && isOwn)) && (isOwner || isOwn)
        ? [{ label: t.end, icon: X, onSelect: () => end.mutate(id) }]
        : []),
    ]
  }
}
