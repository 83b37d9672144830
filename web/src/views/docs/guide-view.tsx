import { ArrowLeft, ArrowRight } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { parseGuide } from '../../../../contract/markdown/parse.ts'
import { Icon } from '../../kit/icon.tsx'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import article from './article.module.css'
import { bodyOf, type Guide, groupsOf, guidePath, headingsIn, linkTarget } from './content.ts'
import { useDocs } from './context.ts'
import { GuideText } from './guide-text.tsx'
import styles from './guide-view.module.css'

export function GuideView({ guide }: { guide: Guide }) {
  const t = useTexts(docs)
  const content = useDocs()
  const blocks = useMemo(
    () => parseGuide(bodyOf(guide), (link) => linkTarget(guide.path, link, content)),
    [guide, content],
  )
  usePageStart(guide.title)
  useAnchor()
  const groups = groupsOf(content.guides)
  const group = groups.find(([, members]) => members.includes(guide))?.[0]
  const inOrder = groups.flatMap(([, members]) => members)
  const at = inOrder.indexOf(guide)
  const headings = headingsIn(blocks).filter(({ level }) => level === 2)
  return (
    <div className={styles.guide}>
      <article className={article.article}>
        <header className={article.head}>
          {group && <p className={article.place}>{t.groups[group]}</p>}
          <h1 tabIndex={-1} lang="en">
            {guide.title}
          </h1>
        </header>
        <GuideText blocks={blocks} />
        <footer className={styles.around}>
          <Neighbour guide={inOrder[at - 1]} direction="previous" />
          <Neighbour guide={inOrder[at + 1]} direction="next" />
        </footer>
      </article>
      <aside className={styles.aside} aria-label={t.onThisPage}>
        {headings.length > 1 && (
          <nav aria-labelledby="on-this-page">
            <h2 id="on-this-page">{t.onThisPage}</h2>
            <ul lang="en">
              {headings.map(({ text, anchor }) => (
                <li key={anchor}>
                  <a href={`#${anchor}`}>{text}</a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <a className={styles.raw} href={`/docs/raw/${guide.path}`}>
          {t.asMarkdown}
        </a>
      </aside>
    </div>
  )
}

function Neighbour({ guide, direction }: { guide: Guide | undefined; direction: 'previous' | 'next' }) {
  const t = useTexts(docs)
  if (!guide) return <span />
  return (
    <Link to={guidePath(guide.name)} className={styles[direction]}>
      {direction === 'previous' && <Icon icon={ArrowLeft} size={18} />}
      <span>
        <span className={styles.direction}>{t[direction]}</span>
        <span lang="en">{guide.title}</span>
      </span>
      {direction === 'next' && <Icon icon={ArrowRight} size={18} />}
    </Link>
  )
}

/** Goes to the part that the address names; browsers do it by themselves only where the page was there before its scripts. */
function useAnchor(): void {
  const hash = useLocationProperty(() => window.location.hash)
  useEffect(() => {
    if (hash !== '') document.getElementById(decodeURIComponent(hash.slice(1)))?.scrollIntoView()
  }, [hash])
}
