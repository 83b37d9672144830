import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { SearchOrder, search } from '../../../../../contract/search.ts'
import { Segmented } from '../../../kit/choice.tsx'
import { SearchInput } from '../../../kit/field.tsx'
import { searchTexts } from '../../../texts/search.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ChatError } from '../../model.ts'
import { useFailureText } from '../frame/failure-text.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { PagedList } from '../inbox/paged-list.tsx'
import styles from './search.module.css'
import { SearchHelp } from './search-help.tsx'
import { FoundMessage, type FoundNames, NameList } from './search-results.tsx'

/** The server is asked once typing has rested for so long. */
const PAUSE_MS = 250
const CHIPS = ['from:', 'in:', 'has:file', 'has:link', 'mentions:me', 'after:'] as const

/** Everything that was said, by words and filters. The query stands in the address, so that Back returns to it. */
export default function Search() {
  const t = useTexts(searchTexts)
  const [params, setParams] = useSearchParams()
  const wanted = params.get('q') ?? ''
  const order: SearchOrder = params.get('order') === 'best' ? 'best' : 'newest'
  const [typed, setTyped] = useState(wanted)
  const field = useRef<HTMLDivElement>(null)
  const shown = useRef(wanted)
  // The address may also be changed by others: Back, a link, the palette. Otherwise text typed since stays.
  useEffect(() => {
    if (wanted !== shown.current) setTyped(wanted)
    shown.current = wanted
  }, [wanted])
  const show = useCallback(
    (q: string, next: SearchOrder) => {
      shown.current = q
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (q === '') after.delete('q')
          else after.set('q', q)
          if (next === 'best') after.set('order', next)
          else after.delete('order')
          return after
        },
        { replace: true },
      )
    },
    [setParams],
  )
  useEffect(() => {
    if (typed === wanted) return
    const timer = window.setTimeout(() => show(typed, order), PAUSE_MS)
    return () => window.clearTimeout(timer)
  }, [typed, wanted, order, show])
  useEffect(() => field.current?.querySelector('input')?.focus(), [])

  const addFilter = (filter: string) => {
    setTyped((before) => `${before.trim()} ${filter}`.trimStart())
    field.current?.querySelector('input')?.focus()
  }
  return (
    <InboxPage
      title={t.title}
      about={t.about}
      filters={
        <>
          <div className={styles.field} ref={field}>
            <SearchInput label={t.field} value={typed} onChange={setTyped} />
          </div>
          <Segmented
            label={t.order}
            value={order}
            options={[
              ['newest', t.newest],
              ['best', t.best],
            ]}
            onChange={(next) => show(typed, next)}
          />
          <fieldset className={styles.chips} aria-label={t.filters}>
            {CHIPS.map((filter) => (
              <button key={filter} type="button" className={styles.chip} onClick={() => addFilter(filter)}>
                {t.chips[filter]}
              </button>
            ))}
          </fieldset>
        </>
      }
    >
      {wanted.trim() === '' ? <SearchHelp onTry={setTyped} /> : <Found q={wanted} order={order} />}
    </InboxPage>
  )
}

const NO_NAMES: FoundNames = { topics: [], members: [] }

function Found({ q, order }: { q: string; order: SearchOrder }) {
  const t = useTexts(searchTexts)
  const api = useChatApi()
  const failureText = useFailureText()
  const [names, setNames] = useState(NO_NAMES)
  const [isComplete, setComplete] = useState(true)
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
        const query = { q, order, timeZone, ...(cursor !== undefined && { cursor }) }
        const answer = await api<typeof search>('GET', '/search', { query })
        if (cursor === undefined) setNames({ topics: answer.topics, members: answer.members })
        setComplete(answer.isComplete)
        const items = answer.results.map((result) => ({ ...result, id: result.message.id }))
        return { items, nextCursor: answer.nextCursor }
      },
      [api, q, order],
    ),
  )
  const { failure } = pages
  // A filter that is not finished, or wrong: trying again would not help.
  if (failure instanceof ChatError && failure.failure.status === 400)
    return (
      <p className={styles.note} role="alert">
        {failureText(failure)}
      </p>
    )
  const hasNames = names.topics.length + names.members.length > 0
  return (
    <div aria-busy={pages.isLoading}>
      {!isComplete && (
        <p className={styles.note} role="status">
          {t.incomplete}
        </p>
      )}
      {hasNames && <NameList names={names} />}
      {hasNames && (pages.items?.length ?? 0) > 0 && <h2 className={styles.head}>{t.messages}</h2>}
      {hasNames && pages.items?.length === 0 && !failure ? null : (
        <PagedList pages={pages} empty={`${t.empty(q.trim())} ${t.emptyHint}`} label={t.messages}>
          {(result) => <FoundMessage result={result} />}
        </PagedList>
      )}
    </div>
  )
}
