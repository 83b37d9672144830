import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { classes } from '../../kit/classes.ts'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { AREAS, type Area, useArea } from './areas.ts'
import { groupsOf, guidePath, operationPath } from './content.ts'
import { useDocs } from './context.ts'
import styles from './docs-sidebar.module.css'
import { Method } from './method.tsx'
import { byTag } from './operations.ts'

type Group = { title: string; links: { to: string; name: string; method?: string }[] }

/** The contents of this part of the docs. */
export function DocsSidebar({ onChosen }: { onChosen: () => void }) {
  const t = useTexts(docs)
  const area = useArea()
  const [location] = useLocation()
  const groups = useGroups(area)
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another page opens
  useEffect(() => {
    nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
  }, [location])
  return (
    <nav className={styles.sidebar} aria-label={t.contents} ref={nav}>
      <ul className={styles.areas}>
        {AREAS.map(({ name, path }) => (
          <li key={name}>
            <Link
              to={path}
              className={classes(styles.link, name === area && styles.area)}
              onClick={() => name !== area && onChosen()}
            >
              {t.areas[name]}
            </Link>
          </li>
        ))}
      </ul>
      {groups.map(({ title, links }) => (
        <section key={title} className={styles.group}>
          <h2>{title}</h2>
          <ul lang="en">
            {links.map(({ to, name, method }) => (
              <li key={to}>
                <Link
                  to={to}
                  className={classes(styles.link, to === location && styles.open)}
                  aria-current={to === location ? 'page' : undefined}
                  onClick={onChosen}
                >
                  <span className={styles.words}>{name}</span>
                  {method !== undefined && <Method method={method} isSmall />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}

function useGroups(area: Area): Group[] {
  const t = useTexts(docs)
  const { guides, operations } = useDocs()
  if (area === 'guides') {
    return groupsOf(guides).map(([group, members]) => ({
      title: t.groups[group],
      links: members.map(({ name, title }) => ({ to: guidePath(name), name: title })),
    }))
  }
  const shown = operations.filter(({ kind }) => (kind === 'people') === (area === 'people'))
  return byTag(shown).map(([tag, members]) => ({
    title: tag,
    links: members.map(({ id, summary, path, method }) => ({
      to: operationPath(id),
      name: method === 'EVENT' ? path : summary,
      method,
    })),
  }))
}
