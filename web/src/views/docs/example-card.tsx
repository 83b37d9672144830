import { useState } from 'react'
import { Segmented } from '../../kit/choice.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { CodeCard } from './code.tsx'
import styles from './example-card.module.css'
import {
  type Credential,
  EXAMPLE_LANGUAGES,
  type ExampleLanguage,
  exampleOf,
  languagesOf,
  variablesOf,
} from './examples.ts'
import type { Operation } from './operations.ts'

/** The language and credential chosen for one example hold for all, on every visit. */
const STORED = { language: 'parley.docs.language', credential: 'parley.docs.credential' }
const HIGHLIGHTED: Record<ExampleLanguage, string> = {
  curl: 'bash',
  typescript: 'typescript',
  python: 'python',
}

const storedLanguage = (): ExampleLanguage => {
  const stored = localStorage.getItem(STORED.language)
  return stored === 'typescript' || stored === 'python' ? stored : 'curl'
}
const storedCredential = (): Credential =>
  localStorage.getItem(STORED.credential) === 'oauth' ? 'oauth' : 'key'

/** The request of an operation to this very server, as a program. */
export function ExampleCard({ operation }: { operation: Operation }) {
  const t = useTexts(docs)
  const [wanted, setWanted] = useState(storedLanguage)
  const [credential, setCredential] = useState(storedCredential)
  const languages = languagesOf(operation)
  const language = languages.includes(wanted) ? wanted : 'curl'
  const text = exampleOf(operation, language, window.location.origin, credential)
  const variables = variablesOf(operation, credential)
  return (
    <div className={styles.example}>
      {languages.length > 1 && (
        <div className={styles.choices}>
          <Segmented
            label={t.exampleLanguage}
            value={language}
            options={languages.map((name) => [name, EXAMPLE_LANGUAGES[name]] as const)}
            onChange={(chosen) => {
              localStorage.setItem(STORED.language, chosen)
              setWanted(chosen)
            }}
          />
          <Segmented
            label={t.credential}
            value={credential}
            options={[
              ['key', t.credentials.key],
              ['oauth', t.credentials.oauth],
            ]}
            onChange={(chosen) => {
              localStorage.setItem(STORED.credential, chosen)
              setCredential(chosen)
            }}
          />
        </div>
      )}
      <CodeCard
        text={text}
        language={HIGHLIGHTED[language]}
        label={t.example}
        copied={t.copyExample}
        head={<span>{EXAMPLE_LANGUAGES[language]}</span>}
      />
      {variables.length > 0 && (
        <p className={styles.note}>
          {t.reads}{' '}
          {variables.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </p>
      )}
    </div>
  )
}
