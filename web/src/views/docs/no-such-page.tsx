import { ButtonLink } from '../../kit/button.tsx'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import styles from './article.module.css'

export function NoSuchPage() {
  const t = useTexts(docs)
  usePageStart(t.notFound.title)
  return (
    <article className={styles.article}>
      <h1 tabIndex={-1}>{t.notFound.title}</h1>
      <p className={styles.lead}>{t.notFound.text}</p>
      <div>
        <ButtonLink to="/docs">{t.home}</ButtonLink>
      </div>
    </article>
  )
}
