import { BookOpen } from 'lucide-react'
import { Link } from 'wouter'
import { CopyButton } from '../../kit/copy.tsx'
import { Fold } from '../../kit/fold.tsx'
import { Icon } from '../../kit/icon.tsx'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import article from './article.module.css'
import { CodeCard } from './code.tsx'
import { sectionAbout } from './content.ts'
import { useDocs } from './context.ts'
import { Description } from './description.tsx'
import { ExampleCard } from './example-card.tsx'
import { Method } from './method.tsx'
import styles from './operation-view.module.css'
import type { Body, Operation, Parameter } from './operations.ts'
import { Fields, FieldTree } from './schema-tree.tsx'

export function OperationView({ operation }: { operation: Operation }) {
  const t = useTexts(docs)
  const { kind, method, path, tag, summary, description, bodies } = operation
  usePageStart(summary)
  return (
    <div className={styles.operation}>
      <article className={article.article}>
        <header className={article.head}>
          <p className={article.place}>
            <Link to={kind === 'people' ? '/docs/people' : '/docs/api'}>
              {kind === 'people' ? t.areas.people : t.areas.bot}
            </Link>
            <span aria-hidden>/</span>
            <span lang="en">{tag}</span>
          </p>
          <h1 tabIndex={-1} lang="en">
            {summary}
          </h1>
          <div className={styles.address}>
            <Method method={kind === 'event' ? t.event : method} />
            <code>{path}</code>
            <CopyButton text={path} of={path} />
          </div>
          <Access operation={operation} />
        </header>
        {description !== '' && <Description text={description} />}
        <Parameters title={t.pathParameters} place="path" operation={operation} />
        <Parameters title={t.queryParameters} place="query" operation={operation} />
        {bodies.length > 0 && (
          <section>
            <h2>{kind === 'event' ? t.payload : t.body}</h2>
            <Bodies bodies={bodies} />
          </section>
        )}
        <Parameters title={t.headers} place="header" operation={operation} />
        <section>
          <h2>{t.answers}</h2>
          {operation.answers.map((answer, index) => (
            <div key={answer.status} className={styles.answer}>
              <p className={styles.status}>
                <span className={styles.good}>{answer.status}</span>
                <span lang="en">{answer.description}</span>
              </p>
              {answer.bodies.length === 0 ? (
                <p className={styles.none}>{t.noBody}</p>
              ) : (
                // A second answer mostly has the same fields.
                <Bodies bodies={answer.bodies} isOpen={index === 0} />
              )}
            </div>
          ))}
        </section>
        {operation.refusals.length > 0 && <Refusals operation={operation} />}
      </article>
      <aside className={styles.examples} aria-label={t.example}>
        <Examples operation={operation} />
      </aside>
    </div>
  )
}

/** The credentials of a request, and a link to the guide. */
function Access({ operation }: { operation: Operation }) {
  const t = useTexts(docs)
  const { guides } = useDocs()
  const guide = sectionAbout(operation, guides)
  const { kind, access, scope } = operation
  return (
    <p className={styles.access}>
      {kind !== 'event' && access === 'none' && <span>{t.noAuthentication}</span>}
      {access === 'session' && <span>{t.session}</span>}
      {scope !== undefined && (
        <span>
          {t.scope} <code>{scope}</code>
        </span>
      )}
      {guide !== undefined && (
        <Link to={guide} className={styles.guide}>
          <Icon icon={BookOpen} size={16} />
          {t.guide}
        </Link>
      )}
    </p>
  )
}

function Parameters({
  title,
  place,
  operation,
}: {
  title: string
  place: Parameter['in']
  operation: Operation
}) {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place)
  if (parameters.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <Fields
        fields={parameters.map(({ name, required = false, description, schema }) => ({
          name,
          isRequired: required,
          schema: { ...schema, ...(description !== undefined && { description }) },
        }))}
      />
    </section>
  )
}

function Bodies({ bodies, isOpen = true }: { bodies: readonly Body[]; isOpen?: boolean }) {
  const [only] = bodies
  if (only && bodies.length === 1 && isOpen) return <FieldTree schema={only.schema} />
  return bodies.map(({ type, schema }, index) => (
    <Fold key={type} isOpen={isOpen && index === 0} summary={<code>{type}</code>}>
      <FieldTree schema={schema} />
    </Fold>
  ))
}

function Refusals({ operation: { refusals } }: { operation: Operation }) {
  const t = useTexts(docs)
  return (
    <section>
      <h2>{t.refusals}</h2>
      <ul className={styles.refusals} lang="en">
        {refusals.map(({ status, description, texts }) => (
          <li key={status}>
            <p className={styles.status}>
              <span className={styles.bad}>{status}</span>
              <span>{description}</span>
            </p>
            <Fold summary={t.refusalCount(texts.length)}>
              <ul className={styles.texts}>
                {texts.map((text) => (
                  <li key={text}>
                    <code>{text}</code>
                  </li>
                ))}
              </ul>
            </Fold>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Examples({ operation }: { operation: Operation }) {
  const t = useTexts(docs)
  const answers = operation.answers.filter(({ bodies }) => bodies[0]?.example !== undefined)
  // A POST's last answer is shown: where there are two, it is the one for something new, which is usual.
  const answer = operation.method === 'POST' ? answers.at(-1) : answers[0]
  const shown = operation.kind === 'event' ? operation.bodies[0]?.example : answer?.bodies[0]?.example
  const head =
    operation.kind === 'event' ? (
      t.payloadExample
    ) : (
      <>
        {t.answer} <span className={styles.good}>{answer?.status}</span>
      </>
    )
  return (
    <>
      {operation.kind !== 'event' && <ExampleCard operation={operation} />}
      {shown !== undefined && (
        <CodeCard
          text={typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2)}
          language="json"
          label={operation.kind === 'event' ? t.payloadExample : t.answer}
          copied={t.copyAnswer}
          head={<span>{head}</span>}
        />
      )}
    </>
  )
}
