import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import article from './article.module.css'
import { CodeCard } from './code.tsx'
import { filePath } from './content.ts'
import { useDocs } from './context.ts'
import styles from './guide-text.module.css'
import { NoSuchPage } from './no-such-page.tsx'

/** A file that a guide links to, or the files of a folder. */
export function FileView({ path }: { path: string }) {
  const { files } = useDocs()
  if (files.includes(path)) return <OneFile path={path} />
  const inside = files.filter((file) => file.startsWith(`${path}/`))
  return inside.length > 0 ? <Folder path={path} files={inside} /> : <NoSuchPage />
}

function Folder({ path, files }: { path: string; files: readonly string[] }) {
  const t = useTexts(docs)
  usePageStart(path)
  return (
    <article className={article.article}>
      <header className={article.head}>
        <p className={article.place}>{t.files}</p>
        <h1 tabIndex={-1}>{path}</h1>
      </header>
      <div className={styles.text} lang="en">
        <ul>
          {files.map((file) => (
            <li key={file}>
              <Link to={filePath(file)}>{file}</Link>
            </li>
          ))}
        </ul>
      </div>
    </article>
  )
}

function OneFile({ path }: { path: string }) {
  const t = useTexts(docs)
  usePageStart(path)
  const [text, setText] = useState('')
  useEffect(() => {
    const leaving = new AbortController()
    void fetch(`/docs/raw/${path}`, { signal: leaving.signal })
      .then((response) => response.text())
      .then(setText)
      .catch(() => {}) // the link to the text itself is there
    return () => leaving.abort()
  }, [path])
  return (
    <article className={article.article}>
      <header className={article.head}>
        <p className={article.place}>{t.files}</p>
        <h1 tabIndex={-1}>{path}</h1>
      </header>
      <p>
        <a href={`/docs/raw/${path}`}>{t.raw}</a>
      </p>
      <CodeCard text={text} language={languageOf(path)} label={path} copied={path} />
    </article>
  )
}

const languageOf = (path: string): string =>
  ({ mjs: 'js', yaml: 'yaml', json: 'json', service: 'ini', example: 'bash', Containerfile: 'dockerfile' })[
    path.split(/[./]/).at(-1) ?? ''
  ] ?? ''
