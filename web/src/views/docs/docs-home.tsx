import { BookKey, Bot, Braces, type LucideIcon, MessageSquareText, Radio, Terminal } from 'lucide-react'
import { Link } from 'wouter'
import { ButtonLink } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy.tsx'
import { Icon } from '../../kit/icon.tsx'
import { usePageStart } from '../../kit/page.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { groupsOf, guidePath } from './content.ts'
import { useDocs } from './context.ts'
import styles from './docs-home.module.css'
import { ExampleCard } from './example-card.tsx'

type CardName = keyof typeof docs.en.cards
const CARDS: readonly { name: CardName; guide: string; icon: LucideIcon }[] = [
  { name: 'authentication', guide: 'authentication', icon: BookKey },
  { name: 'messages', guide: 'messages', icon: MessageSquareText },
  { name: 'events', guide: 'events', icon: Radio },
  { name: 'sdk', guide: 'sdk', icon: Braces },
  { name: 'python', guide: 'sdk-python', icon: Terminal },
  { name: 'mcp', guide: 'mcp', icon: Bot },
]
const FIRST_OPERATION = 'readMe'

export function DocsHome() {
  const t = useTexts(docs)
  const { guides, operations } = useDocs()
  usePageStart(t.home)
  const first = operations.find(({ id }) => id === FIRST_OPERATION)
  const { origin } = window.location
  return (
    <div className={styles.home}>
      <div className={styles.hero}>
        <div className={styles.words}>
          <h1 tabIndex={-1}>{t.hero.title}</h1>
          <p className={styles.about}>{t.hero.about}</p>
          <div className={styles.actions}>
            <ButtonLink look="primary" to={guidePath('bot-api')}>
              {t.hero.begin}
            </ButtonLink>
            <ButtonLink to="/docs/api">{t.hero.reference}</ButtonLink>
          </div>
          <div className={styles.address}>
            <span>{t.hero.address}</span>
            <code>{origin}</code>
            <CopyButton text={origin} of={t.hero.address} />
          </div>
          {t.english !== '' && <p className={styles.note}>{t.english}</p>}
        </div>
        {first && (
          <div className={styles.first}>
            <h2>{t.hero.first}</h2>
            <p>{t.hero.firstAbout}</p>
            <ExampleCard operation={first} />
          </div>
        )}
      </div>
      <ul className={styles.cards}>
        {CARDS.map(({ name, guide, icon }) => (
          <li key={name}>
            <Link to={guidePath(guide)} className={styles.card}>
              <Icon icon={icon} />
              <span className={styles.title}>{t.cards[name].title}</span>
              <span className={styles.text}>{t.cards[name].about}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className={styles.groups}>
        {groupsOf(guides).map(([group, members]) => (
          <section key={group}>
            <h2>{t.groups[group]}</h2>
            <ul lang="en">
              {members.map(({ name, title }) => (
                <li key={name}>
                  <Link to={guidePath(name)}>{title}</Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </div>
  )
}
