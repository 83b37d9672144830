import type { Overview as Figures } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { Card } from '../../kit/form.tsx'
import { Name } from '../../kit/name.tsx'
import { Time } from '../../kit/time.tsx'
import { overview as texts } from '../../texts/overview.ts'
import { useTexts } from '../../texts/texts.ts'
import { useSettings } from './changes.ts'
import styles from './overview.module.css'

/** Above this part of what it may have, an organization will soon be unable to keep files. */
const NEARLY_FULL = 0.9
/** Webhooks that are named one by one; of more, the list of bots shows all. */
const MAX_NAMED = 5

/** A backup that is older than this would lose too much. */
const BACKUP_MS = 7 * 86_400_000

type Step = {
  key: string
  title: React.ReactNode
  text: React.ReactNode
  /** Missing where it is done outside of the console. */
  action?: { label: string; to: string }
}

/** The next steps for an admin, the most urgent first. Nothing is shown if all is well. */
export function NextSteps({ figures }: { figures: Figures }) {
  const t = useTexts(texts).next
  const steps = useSteps(figures)
  if (steps.length === 0) return null
  return (
    <Card title={t.title} isWide>
      <ul className={styles.steps}>
        {steps.map(({ key, title, text, action }) => (
          <li key={key}>
            <span className={styles.words}>
              <strong>{title}</strong>
              <span className={styles.text}>{text}</span>
            </span>
            {action && <ButtonLink to={action.to}>{action.label}</ButtonLink>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function useSteps(figures: Figures): Step[] {
  const t = useTexts(texts).next
  const { organizationId } = useMembership()
  const mail = useSettings().data?.server.mail
  const base = `/console/${organizationId}`
  const { members, bots, storage, messagesByDay, deliveries, stoppedTopics, signups, backup } = figures
  const { unwell } = deliveries
  const steps: Step[] = unwell.slice(0, MAX_NAMED).map(({ botId, name, state, since }) => ({
    key: botId,
    title: (
      <>
        <Name text={name} inline />: {t[state]}
      </>
    ),
    text: (
      <>
        {t.since} <Time at={since} />
      </>
    ),
    action: { label: t.lookAtIt, to: `${base}/bots/${encodeURIComponent(botId)}/deliveries` },
  }))
  const stopped = stoppedTopics.slice(0, MAX_NAMED).map(({ topicId, name, since }) => ({
    key: topicId,
    title: (
      <>
        <Name text={name} inline />: {t.botsStopped}
      </>
    ),
    text: (
      <>
        {t.since} <Time at={since} />
      </>
    ),
    action: { label: t.toTopic, to: `${base}/topics/${topicId}` },
  }))
  steps.push(...stopped)
  const add = (isDue: boolean, key: keyof typeof t.steps, path: string) => {
    const { action: label, ...words } = t.steps[key]
    if (isDue) steps.push({ key, ...words, action: { label, to: `${base}${path}` } })
  }
  add(unwell.length > MAX_NAMED, 'moreUnwell', '/bots?sort=attention')
  add(
    storage.quotaBytes !== null && storage.usedBytes >= storage.quotaBytes * NEARLY_FULL,
    'storage',
    '/settings',
  )
  add(mail === 'outbox', 'mail', '/members')
  add(members.active + members.pending <= 1, 'invite', '/members?invite')
  add(bots.active + bots.inactive === 0, 'bot', '/bots/new')
  add(bots.active > 0 && messagesByDay.every(({ count }) => count === 0), 'quiet', '/bots')
  if (signups?.access === 'everybody' && signups.lastDay > 0)
    steps.push({
      key: 'signups',
      title: t.openSignup.title,
      text: t.openSignup.text(signups.lastDay),
      action: { label: t.openSignup.action, to: `${base}/settings` },
    })
  if (backup && Date.now() - (backup.lastAt ?? 0) > BACKUP_MS)
    steps.push({ key: 'backup', ...(backup.lastAt === undefined ? t.noBackup : t.oldBackup) })
  return steps
}
