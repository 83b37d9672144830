import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { handToComposer } from '../conversation/composer/handed.ts'
import { useMemberProfile } from './member-profile.ts'
import styles from './prompts.module.css'

/** Texts that a bot suggests. A press hands one on, to be sent or changed. */
export function Prompts({
  prompts,
  onChosen,
}: {
  prompts: readonly string[]
  onChosen: (prompt: string) => void
}) {
  const t = useTexts(places).profile
  if (prompts.length === 0) return null
  return (
    <ul className={styles.prompts} aria-label={t.prompts}>
      {prompts.map((prompt) => (
        <li key={prompt}>
          <button type="button" className={styles.prompt} onClick={() => onChosen(prompt)}>
            <bdi>{prompt}</bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** The suggestions of the bot that a direct message is with. */
export default function PromptsOfBot({ botId, topicId }: { botId: string; topicId: string }) {
  const profile = useMemberProfile(botId)
  return (
    <Prompts
      prompts={profile?.prompts ?? []}
      onChosen={(text) => handToComposer({ topicId, text, files: [] })}
    />
  )
}
