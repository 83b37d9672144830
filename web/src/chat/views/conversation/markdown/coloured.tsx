import { useEffect, useState } from 'react'
import type { CodePart } from './code-parts.ts'
import styles from './coloured.module.css'
import { colourParts } from './highlighter.ts'

const COLOURS: Record<string, string | undefined> = {
  keyword: styles.keyword,
  built_in: styles.keyword,
  literal: styles.keyword,
  tag: styles.keyword,
  name: styles.keyword,
  section: styles.keyword,
  deletion: styles.keyword,
  string: styles.string,
  regexp: styles.string,
  addition: styles.string,
  attr: styles.number,
  attribute: styles.number,
  number: styles.number,
  symbol: styles.number,
  meta: styles.comment,
  comment: styles.comment,
  quote: styles.comment,
}

/** Colours come when the highlighter and the language are there; the code is there before. */
export function ColouredCode({ text, language }: { text: string; language: string }) {
  const [parts, setParts] = useState<CodePart[]>()
  useEffect(() => {
    let isWanted = language !== ''
    setParts(undefined)
    if (isWanted) {
      void colourParts(text, language).then((found) => isWanted && setParts(found))
    }
    return () => {
      isWanted = false
    }
  }, [text, language])
  return (
    <code>
      {parts === undefined
        ? text
        : parts.map(({ scope, text: part }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name, and never move
            <span key={index} className={COLOURS[scope?.split('.')[0] ?? '']}>
              {part}
            </span>
          ))}
    </code>
  )
}
