import { lazy, Suspense, use, useEffect, useState } from 'react'
import { Route, Switch } from 'wouter'
import { classes } from '../../kit/classes.ts'
import { CONTENT } from '../../kit/page.tsx'
import { ApiIndex } from './api-index.tsx'
import type { DocsContent } from './content.ts'
import { DocsContext } from './context.ts'
import styles from './docs.module.css'
import { DocsHeader } from './docs-header.tsx'
import { DocsHome } from './docs-home.tsx'
import { DocsSidebar } from './docs-sidebar.tsx'
import { FileView } from './file-view.tsx'
import { GuideView } from './guide-view.tsx'
import { loadContent } from './load-content.ts'
import { NoSuchPage } from './no-such-page.tsx'
import { OperationView } from './operation-view.tsx'

const DocsPalette = lazy(() => import('./docs-palette.tsx'))

/** Guides and the reference of both APIs, for everybody. */
export default function Docs() {
  const content = use(loadContent())
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isSearching, setSearching] = useState(false)
  useSearchKeys(() => setSearching(true))
  return (
    <DocsContext value={content}>
      <div className={styles.docs}>
        <DocsHeader
          isMenuOpen={isMenuOpen}
          onMenu={() => setMenuOpen(!isMenuOpen)}
          onSearch={() => setSearching(true)}
        />
        <div className={styles.columns}>
          <div className={classes(styles.sidebar, isMenuOpen && styles.shown)}>
            <DocsSidebar onChosen={() => setMenuOpen(false)} />
          </div>
          {/* On a phone the contents lie above the page; Tab leads on from them to the page. */}
          <main className={styles.main} id={CONTENT} tabIndex={-1} onFocus={() => setMenuOpen(false)}>
            <Pages content={content} />
          </main>
        </div>
      </div>
      <Suspense>{isSearching && <DocsPalette onClose={() => setSearching(false)} />}</Suspense>
    </DocsContext>
  )
}

function Pages({ content: { guides, operations } }: { content: DocsContent }) {
  return (
    <Switch>
      <Route path="/docs" component={DocsHome} />
      <Route path="/docs/api">
        <ApiIndex key="bot" area="bot" />
      </Route>
      <Route path="/docs/people">
        <ApiIndex key="people" area="people" />
      </Route>
      <Route path="/docs/guides/:name">
        {({ name }) => {
          const guide = guides.find((candidate) => candidate.name === name)
          return guide ? <GuideView key={name} guide={guide} /> : <NoSuchPage />
        }}
      </Route>
      <Route path="/docs/api/:id">
        {({ id }) => {
          const operation = operations.find((candidate) => candidate.id === id)
          return operation ? <OperationView key={id} operation={operation} /> : <NoSuchPage />
        }}
      </Route>
      <Route path="/docs/files/*">{({ '*': path }) => <FileView key={path} path={path} />}</Route>
      <Route>
        <NoSuchPage />
      </Route>
    </Switch>
  )
}

/** Ctrl K opens search anywhere, a slash wherever no field has the focus. */
function useSearchKeys(onSearch: () => void): void {
  useEffect(() => {
    const look = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
      const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isSlash && !isCtrlK) return
      event.preventDefault()
      onSearch()
    }
    document.addEventListener('keydown', look)
    return () => document.removeEventListener('keydown', look)
  }, [onSearch])
}
