import { searchTexts } from '../../../texts/search.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from './search.module.css'

/** Search operators, each with an example to try. */
export function SearchHelp({ onTry }: { onTry: (example: string) => void }) {
  const { help, examples } = useTexts(searchTexts)
  const today = new Date().toLocaleDateString('sv-SE')
  const rows: [example: string, meaning: string][] = [
    [`${examples.words} `, help.words],
    [examples.words.slice(0, -2), help.beginning],
    [examples.phrase, help.phrase],
    [examples.from, help.from],
    [examples.in, help.in],
    [examples.not, help.not],
    [examples.or, help.or],
    ['has:file', help.has],
    ['is:thread', help.thread],
    ['mentions:me', help.mentions],
    [`on:${today}`, help.days],
  ]
  return (
    <section className={styles.help} aria-label={help.title}>
      <h2 className={styles.head}>{help.title}</h2>
      <dl>
        {rows.map(([example, meaning]) => (
          <div key={example}>
            <dt>
              <button type="button" className={styles.example} onClick={() => onTry(example)}>
                {example.trim()}
              </button>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
