import { X } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import {
  SEARCH_KINDS,
  SEARCH_OPERATORS,
  type SearchKind,
  type SearchOrder,
  type search,
} from '../../../../../contract/search.ts'
import { Button } from '../../../kit/button.tsx'
import { Segmented } from '../../../kit/choice.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { places } from '../../../texts/places.ts'
import { searchTexts } from '../../../texts/search.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ChatError } from '../../model.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { useFailureText } from '../frame/failure-text.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import { InboxPage } from '../inbox/inbox-page.tsx'
import { PagedList } from '../inbox/paged-list.tsx'
import styles from './search.module.css'
import { SearchField } from './search-field.tsx'
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
  const kind = SEARCH_KINDS.find((one) => one === params.get('kind')) ?? 'messages'
  const topicId = params.get('topic') ?? undefined
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
  const change = (name: 'kind' | 'topic', value: string | undefined) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === undefined) after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )

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
            <SearchField value={typed} onChange={setTyped} />
          </div>
          {topicId !== undefined && (
            <SearchedTopic topicId={topicId} onLeave={() => change('topic', undefined)} />
          )}
          <div className={styles.kinds}>
            <Segmented
              label={t.kind}
              value={kind}
              options={SEARCH_KINDS.map((one) => [one, t.kinds[one]] as const)}
              onChange={(next) => change('kind', next === 'messages' ? undefined : next)}
            />
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
      {wanted.trim() === '' ? (
        <SearchHelp onTry={setTyped} />
      ) : (
        <Found q={wanted} order={order} kind={kind} topicId={topicId} onType={setTyped} />
      )}
    </InboxPage>
  )
}

/** The topic that is searched, and the way out of it. */
function SearchedTopic({ topicId, onLeave }: { topicId: string; onLeave: () => void }) {
  const t = useTexts(searchTexts)
  const name = useChat((state) => {
    const topic = state.topics.get(topicId)
    return topic ? nameOf(state, topic) : ''
  })
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={t.everywhere}
      title={t.everywhere}
      onClick={onLeave}
    >
      <span className={styles.place}>
        <bdi>{t.inside(name)}</bdi>
        <Icon icon={X} size={14} />
      </span>
    </button>
  )
}

const NO_NAMES: FoundNames = { topics: [], members: [] }
type Correction = { word: string; instead: readonly string[] }

type Wanted = { q: string; order: SearchOrder; kind: SearchKind; topicId: string | undefined }

function Found({ q, order, kind, topicId, onType }: Wanted & { onType: (text: string) => void }) {
  const t = useTexts(searchTexts)
  const p = useTexts(places)
  const api = useChatApi()
  const [names, setNames] = useState(NO_NAMES)
  const [corrections, setCorrections] = useState<readonly Correction[]>([])
  const [isComplete, setComplete] = useState(true)
  const listsNames = kind === 'members' || kind === 'topics'
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
        const query = {
          q: topicId === undefined ? q : `in:${topicId} ${q}`,
          order,
          kind,
          timeZone,
          ...(cursor !== undefined && { cursor }),
        }
        const answer = await api<typeof search>('GET', '/search', { query })
        const { topics, members } = answer
        if (cursor === undefined) {
          setNames({ topics, members })
          setCorrections(answer.corrections)
        } else if (listsNames)
          setNames((before) => ({
            topics: [...before.topics, ...topics],
            members: [...before.members, ...members],
          }))
        setComplete(answer.isComplete)
        const items = answer.results.map((result) => ({ ...result, id: result.message.id }))
        return { items, nextCursor: answer.nextCursor }
      },
      [api, q, order, kind, topicId, listsNames],
    ),
  )
  const { failure } = pages
  // A filter that is not finished, or wrong: trying again would not help.
  if (failure instanceof ChatError && failure.failure.status === 400)
    return <Mistake failure={failure} q={q} onType={onType} />
  const hasNames = names.topics.length + names.members.length > 0
  return (
    <div aria-busy={pages.isLoading}>
      {!isComplete && (
        <p className={styles.note} role="status">
          {t.incomplete}
        </p>
      )}
      {corrections.map(({ word, instead }) => (
        <p className={styles.note} role="status" key={word}>
          {t.corrected(word, instead.join(', '))}
        </p>
      ))}
      {hasNames && <NameList names={names} label={listsNames ? t.kinds[kind] : t.names} />}
      {hasNames && (pages.items?.length ?? 0) > 0 && <h2 className={styles.head}>{t.messages}</h2>}
      {listsNames && pages.loadMore && (
        <Button busy={pages.isLoading} onClick={pages.loadMore}>
          {p.more}
        </Button>
      )}
      {hasNames && pages.items?.length === 0 && !failure ? null : (
        <PagedList pages={pages} empty={`${t.empty(q.trim())} ${t.emptyHint}`} label={t.messages}>
          {(result) => <FoundMessage result={result} />}
        </PagedList>
      )}
    </div>
  )
}

/** The operator that is nearest to one that does not exist, in the words of the server. */
const NEAREST = /the nearest is (\w+):/
const OPERATORS: readonly string[] = SEARCH_OPERATORS

/** The search with its first unknown operator replaced. */
const mended = (q: string, nearest: string): string => {
  let isDone = false
  return q.replace(/(^|\s|-)([a-z]{2,20}):(?=\S)/gi, (whole, before: string, name: string) => {
    if (isDone || OPERATORS.includes(name.toLowerCase())) return whole
    isDone = true
    return `${before}${nearest}:`
  })
}

function Mistake({ failure, q, onType }: { failure: ChatError; q: string; onType: (text: string) => void }) {
  const t = useTexts(searchTexts)
  const failureText = useFailureText()
  const [, nearest] = NEAREST.exec(failure.failure.text) ?? []
  return (
    <div className={styles.note}>
      <p role="alert">{failureText(failure)}</p>
      {nearest !== undefined && (
        <Button onClick={() => onType(mended(q, nearest))}>{t.instead(nearest)}</Button>
      )}
    </div>
  )
}
