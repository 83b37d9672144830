import { useContext } from 'react'
import { CopyButton } from '../../../kit/copy.tsx'
import { Name } from '../../../kit/name.tsx'
import { StateMark } from '../../../kit/notice.tsx'
import { errorSentence } from '../../../texts/errors.ts'
import { members } from '../../../texts/members.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import styles from './report.module.css'

/** The result of each line: done, with its link if there is one, or the reason why not. */
export function Report({
  lines,
}: {
  lines: readonly {
    what: string
    refusal?: string | undefined
    code?: string | undefined
    url?: string | undefined
  }[]
}) {
  const t = useTexts(members).many
  const language = useContext(LanguageContext)
  return (
    <ul className={styles.report}>
      {lines.map(({ what, refusal, code = '', url }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same line may stand there twice, and none moves
        <li key={index}>
          <span className={styles.what}>
            <Name text={what} />
          </span>
          <StateMark tone={refusal === undefined ? 'good' : 'bad'}>
            {refusal === undefined ? t.invited : errorSentence({ code, text: refusal }, language)}
          </StateMark>
          {url !== undefined && <CopyButton text={url} label={t.copyLink} of={what} />}
        </li>
      ))}
    </ul>
  )
}
