import { useContext } from 'react'
import { Link } from 'wouter'
import type { AuditEntry } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { Quiet, Stack } from '../../kit/layout.tsx'
import { Name, named, Words } from '../../kit/name.tsx'
import { Time } from '../../kit/time.tsx'
import { VisuallyHidden } from '../../kit/visually-hidden.tsx'
import { audit } from '../../texts/audit.ts'
import { common } from '../../texts/common.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { browserOf } from '../account/browsers.ts'
import styles from './audit.module.css'

/** One entry: a sentence with names that lead on, what changed, and where it came from. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const t = useTexts(audit)
  const placeOf = usePlaces()
  const { actor, action, target } = entry
  // The sentence tells a member's status already.
  const changes = entry.changes.filter(({ field }) => target.type !== 'member' || field !== 'status')
  const isOneself = action === 'member.renamed' && actor.id === target.id
  const { kind } = actor
  const who =
    kind === 'operator' || kind === 'server' || kind === 'scim' ? t[kind] : (actor.name ?? t.somebody)
  return (
    <li>
      <Stack tight>
        <p>
          <Sentence
            text={isOneself ? t.renamedOneself : t.sentences[action]}
            who={{ name: who, to: actor.id && `?person=${encodeURIComponent(actor.id)}` }}
            what={{ name: target.name, to: placeOf(target) }}
          />
        </p>
        {changes.length > 0 && (
          <ul className={styles.changes}>
            {changes.map((change) => (
              <ChangeLine key={JSON.stringify(change)} change={change} />
            ))}
          </ul>
        )}
        {actor.assistant !== undefined && target.type !== 'assistant' && (
          <Quiet small>
            <Words text={t.byAssistant(named(actor.assistant))} />
          </Quiet>
        )}
        {entry.client && <Origin client={entry.client} />}
      </Stack>
      <Quiet small as="span">
        <Time at={entry.at} exact />
      </Quiet>
    </li>
  )
}

const SHOWN_USER_AGENT = 60

/** The address and browser that an entry came from. */
function Origin({ client: { address, userAgent } }: { client: NonNullable<AuditEntry['client']> }) {
  const t = useTexts(audit)
  const { browser, system } = browserOf(userAgent)
  const known = browser !== undefined && system !== undefined ? t.on(browser, system) : (browser ?? system)
  const shown = known ?? (userAgent.slice(0, SHOWN_USER_AGENT) || undefined)
  return <Quiet small>{t.from(address, shown)}</Quiet>
}

type Named = { name: string; to: string | undefined }

/** The names stand out: the actor leads to all that they did, the target to the thing itself. */
function Sentence({ text, who, what }: { text: string; who: Named; what: Named }) {
  return text.split(/(\{who\}|\{what\})/).map((part) => {
    if (part === '{who}') return <Linked key={part} {...who} />
    if (part === '{what}') return <Linked key={part} {...what} />
    return part
  })
}

const Linked = ({ name, to }: Named) => (
  <strong>
    {to === undefined ? (
      <Name inline text={name} />
    ) : (
      <Link to={to}>
        <Name inline text={name} />
      </Link>
    )}
  </strong>
)

/** The console pages of things. One that is gone is not found there, which is an answer too. */
function usePlaces(): (target: AuditEntry['target']) => string | undefined {
  const { organizationId } = useMembership()
  const base = `/console/${organizationId}`
  return ({ type, id, name }) => {
    if (type === 'bot') return `${base}/bots/${encodeURIComponent(id)}`
    if (type === 'member') return `${base}/members?q=${encodeURIComponent(name)}`
    if (type === 'label') return `${base}/labels`
    if (type === 'org_unit') return `${base}/org-units`
    if (type === 'group') return `${base}/groups`
    return type === 'organization' ? `${base}/settings` : undefined
  }
}

type Change = AuditEntry['changes'][number]

function ChangeLine({ change: { field, from, to } }: { change: Change }) {
  const t = useTexts(audit)
  const { colon } = useTexts(common)
  const wordsFor = useValues()
  if (field === 'member') {
    return (
      <li>
        <Quiet as="span">
          {to === undefined ? t.fields.removed : t.fields.added}
          {colon}
        </Quiet>{' '}
        <Name inline text={to ?? from ?? ''} />
      </li>
    )
  }
  return (
    <li>
      <Quiet as="span">
        {nameOf(field, t.fields)}
        {colon}
      </Quiet>{' '}
      {from !== undefined || isSettable(field) ? (
        <>
          <Name inline text={wordsFor(field, from)} /> <span aria-hidden="true">→</span>
          <VisuallyHidden>{t.became}</VisuallyHidden> <Name inline text={wordsFor(field, to)} />
        </>
      ) : (
        <Name inline text={wordsFor(field, to)} />
      )}
    </li>
  )
}

/** Settings that an organization may leave to the server; they have no value of their own then. */
const isSettable = (field: string): boolean =>
  /^(rateLimit|retentionDays|maxRateLimit|maxRetentionDays|storageQuotaMb)$/.test(field)

const nameOf = (key: string, names: Record<string, string>): string =>
  Object.hasOwn(names, key) ? (names[key] ?? key) : key

const VERBATIM = ['name', 'tag', 'email', 'question', 'title', 'facts', 'answer', 'value', 'form', 'hash']

/** A value in words, where there are any for it. */
function useValues(): (field: string, value: string | undefined) => string {
  const language = useContext(LanguageContext)
  const t = useTexts(audit)
  const c = useTexts(common)
  return (field, value) => {
    if (value === undefined) return isSettable(field) ? t.asServer : t.nothing
    // Words that people chose are shown as they are, even if a translation exists.
    if (VERBATIM.includes(field)) return value
    if (value === 'true') return c.yes
    if (value === 'false') return c.no
    if (field === 'role') return nameOf(value, c.roles)
    if (field === 'guestUntil') return new Date(Number(value)).toLocaleString(language)
    if (field === 'status') return nameOf(value, c.statuses)
    if (/^(rateLimit|maxRateLimit|storageQuotaMb)$/.test(field) && value === '0') return t.noLimit
    if (field === 'keepMessagesDays' && value === '0') return t.forEver
    return nameOf(value, t.values)
  }
}
