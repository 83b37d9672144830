import { Link } from 'wouter'
import { anchorOf } from '../../../../contract/markdown/guides.ts'
import { ButtonAnchor } from '../../kit/button.tsx'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import styles from './api-index.module.css'
import article from './article.module.css'
import { operationPath } from './content.ts'
import { useDocs } from './context.ts'
import { Method } from './method.tsx'
import { byTag } from './operations.ts'

/** Every operation of an API, by subject. */
export function ApiIndex({ area }: { area: 'bot' | 'people' }) {
  const t = useTexts(docs)
  const { operations } = useDocs()
  const title = area === 'bot' ? t.botApi : t.peopleApi
  usePageStart(title)
  const shown = operations.filter(({ kind }) => (kind === 'people') === (area === 'people'))
  return (
    <article className={article.article}>
      <h1 tabIndex={-1}>{title}</h1>
      <p className={article.lead}>{area === 'bot' ? t.botApiAbout : t.peopleApiAbout}</p>
      <div>
        <ButtonAnchor href="/openapi.json">{t.openApi}</ButtonAnchor>
      </div>
      {byTag(shown).map(([tag, members]) => (
        <section key={tag} className={styles.group} lang="en">
          <h2 id={anchorOf(tag)}>{tag}</h2>
          <ul className={styles.list}>
            {members.map(({ id, summary, path, method }) => (
              <li key={id}>
                <Link to={operationPath(id)} className={styles.operation}>
                  <Method method={method} />
                  <span className={styles.words}>
                    <span className={styles.summary}>{summary}</span>
                    <code>{path}</code>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </article>
  )
}
