import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry, AuditTarget, listAuditEntries } from '../../../../contract/people/organization.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { audit } from '../../texts/audit.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/texts.ts'
import { useAddressChoice } from '../../ui/address.ts'
import { Select } from '../../ui/controls.tsx'
import { Name } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded, More } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { browserOf } from '../account/browsers.ts'

const KINDS: readonly AuditTarget[] = ['organization', 'member', 'bot', 'label', 'org_unit', 'topic']

export default function Audit() {
  const t = useTexts(audit)
  const { organizationId } = useMembership()
  const [target, setTarget] = useAddressChoice('kind', KINDS)
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'audit', 'list', target),
    queryFn: ({ pageParam }) =>
      call<typeof listAuditEntries>('GET', '/people/organizations/{organizationId}/audit', {
        params: { organizationId },
        query: { cursor: pageParam, ...(target !== '' && { target }) },
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <div className="card">
        <div className="filters">
          <Select
            label={t.kind}
            options={[['', t.everything], ...KINDS.map((kind) => [kind, t.kinds[kind]] as const)]}
            value={target}
            onChange={setTarget}
          />
        </div>
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

function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(audit)
  const { actor, action, target } = entry
  // Where the sentence says it already, it is not said twice.
  const changes = entry.changes.filter(({ field }) => target.type !== 'member' || field !== 'status')
  const isOneself = action === 'member.renamed' && actor.id === target.id
  const who =
    actor.kind === 'operator' ? t.operator : actor.kind === 'server' ? t.server : (actor.name ?? t.somebody)
  return (
    <li>
      <div className="stack tight">
        <p>
          <Sentence text={isOneself ? t.renamedOneself : t.sentences[action]} who={who} what={target.name} />
        </p>
        {changes.length > 0 && (
          <ul className="changes">
            {changes.map((change) => (
              <ChangeLine key={`${change.field} ${change.from} ${change.to}`} change={change} />
            ))}
          </ul>
        )}
        {entry.client && <Origin client={entry.client} />}
      </div>
      <span className="soft small">
        <Time at={entry.at} exact />
      </span>
    </li>
  )
}

const SHOWN_USER_AGENT = 60

/** Where it came from. */
function Origin({ client: { address, userAgent } }: { client: NonNullable<AuditEntry['client']> }) {
  const t = useTexts(audit)
  const { browser, system } = browserOf(userAgent)
  const known = browser !== undefined && system !== undefined ? t.on(browser, system) : (browser ?? system)
  const shown = known ?? (userAgent.slice(0, SHOWN_USER_AGENT) || undefined)
  return <p className="soft small breaks">{t.from(address, shown)}</p>
}

/** The names stand out. */
function Sentence({ text, who, what }: { text: string; who: string; what: string }) {
  return text.split(/(\{who\}|\{what\})/).map((part) => {
    if (part === '{who}')
      return (
        <strong key={part}>
          <Name text={who} />
        </strong>
      )
    if (part === '{what}')
      return (
        <strong key={part}>
          <Name text={what} />
        </strong>
      )
    return part
  })
}

type Change = AuditEntry['changes'][number]

function ChangeLine({ change: { field, from, to } }: { change: Change }) {
  const t = useTexts(audit)
  const wordsFor = useValues()
  if (field === 'member') {
    return (
      <li>
        <span className="soft">{to === undefined ? t.fields.removed : t.fields.added}:</span>{' '}
        <Name text={to ?? from ?? ''} />
      </li>
    )
  }
  return (
    <li>
      <span className="soft">{nameOf(field, t.fields)}:</span>{' '}
      {from !== undefined || isSettable(field) ? (
        <>
          <Name text={wordsFor(field, from)} /> <span aria-hidden="true">→</span>
          <span className="hidden">{t.became}</span> <Name text={wordsFor(field, to)} />
        </>
      ) : (
        <Name text={wordsFor(field, to)} />
      )}
    </li>
  )
}

/** What an organization leaves to the server has no value of its own. */
const isSettable = (field: string): boolean =>
  /^(rateLimit|retentionDays|maxRateLimit|maxRetentionDays|storageQuotaMb)$/.test(field)

const nameOf = (key: string, names: Record<string, string>): string =>
  Object.hasOwn(names, key) ? (names[key] ?? key) : key

/** A value in words, where there are any for it. */
function useValues(): (field: string, value: string | undefined) => string {
  const t = useTexts(audit)
  const c = useTexts(common)
  return (field, value) => {
    if (value === undefined) return isSettable(field) ? t.asServer : t.nothing
    if (value === 'true') return c.yes
    if (value === 'false') return c.no
    if (field === 'role') return nameOf(value, c.roles)
    if (field === 'status') return nameOf(value, c.statuses)
    if (/^(rateLimit|maxRateLimit|storageQuotaMb)$/.test(field) && value === '0') return t.noLimit
    // Names are as somebody chose them, even if they are words that are known here.
    return ['name', 'tag', 'email'].includes(field) ? value : nameOf(value, t.values)
  }
}
