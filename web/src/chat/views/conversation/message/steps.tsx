import { Check, Circle, LoaderCircle, X } from 'lucide-react'
import type { Message } from '../../../../../../contract/message.ts'
import type { MessageSource, MessageStep } from '../../../../../../contract/message-progress.ts'
import { Icon } from '../../../../kit/icon.tsx'
import { stepTexts } from '../../../../texts/chat-steps.ts'
import { useTexts } from '../../../../texts/texts.ts'
import styles from './steps.module.css'

const ICONS = { pending: Circle, in_progress: LoaderCircle, done: Check, failed: X } as const

/** The steps of a bot's answer, folded; the running one is in sight. */
export function Steps({ message, steps }: { message: Message; steps: readonly MessageStep[] }) {
  const t = useTexts(stepTexts)
  const isGoing = message.stream?.status === 'streaming'
  const running = isGoing ? steps.find(({ status }) => status === 'in_progress') : undefined
  const done = steps.filter(({ status }) => status === 'done').length
  const hasFailed = steps.some(({ status }) => status === 'failed')
  return (
    <details className={styles.steps} open={running !== undefined}>
      <summary>
        {hasFailed ? t.withFailure(done, steps.length) : t.done(done, steps.length)}
        {running && <span dir="auto">: {running.title}</span>}
      </summary>
      <ol>
        {steps.map((step) => (
          <Step key={step.id} step={step} isOpen={step.id === running?.id} />
        ))}
      </ol>
    </details>
  )
}

function Step({ step, isOpen }: { step: MessageStep; isOpen: boolean }) {
  const t = useTexts(stepTexts)
  const { title, status, details, output } = step
  const head = (
    <>
      <Icon icon={ICONS[status]} size={14} />
      <span dir="auto">{title}</span> <span className={styles.status}>{t.statuses[status]}</span>
    </>
  )
  if (details === undefined && output === undefined) return <li data-status={status}>{head}</li>
  return (
    <li data-status={status}>
      <details open={isOpen}>
        <summary>{head}</summary>
        {details !== undefined && <p dir="auto">{details}</p>}
        {output !== undefined && (
          <pre dir="auto" className={styles.output}>
            {output}
          </pre>
        )}
      </details>
    </li>
  )
}

/** The sources of an answer, as numbered notes. */
export function Sources({ sources }: { sources: readonly MessageSource[] }) {
  const t = useTexts(stepTexts)
  return (
    <aside className={styles.sources} aria-label={t.sources}>
      <ol>
        {sources.map(({ title, url, quote }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a source is known by its number alone
          <li key={index}>
            {url === undefined ? (
              <span dir="auto">{title}</span>
            ) : (
              <a href={url} target="_blank" rel="noreferrer noopener nofollow" dir="auto">
                {title}
              </a>
            )}
            {quote !== undefined && <q dir="auto">{quote}</q>}
          </li>
        ))}
      </ol>
    </aside>
  )
}
