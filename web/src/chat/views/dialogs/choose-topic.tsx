import { Button } from '../../../kit/button.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { shellPlaces } from '../../../texts/shell-places.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Plain } from '../frame/states.tsx'

type Choice = { organizationId: string; topicId: string; name: string; botName: string }

/** A link that names a topic by the id that a bot gave to it, where several bots used the same one. */
export default function ChooseTopic({
  choices,
  onChosen,
}: {
  choices: readonly Choice[]
  onChosen: (choice: Choice) => void
}) {
  const t = useTexts(shellPlaces).choose
  return (
    <Plain title={t.title} text={t.text}>
      {choices.map((choice) => (
        <Button key={choice.topicId} onClick={() => onChosen(choice)}>
          <bdi>{choice.name}</bdi> <Words text={t.of(named(choice.botName))} />
        </Button>
      ))}
    </Plain>
  )
}
