import { useState } from 'react'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { Button } from '../../../kit/button.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions, Facts } from '../../../kit/layout.tsx'
import { Name, named } from '../../../kit/name.tsx'
import { ErrorNotice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { type Candidate, MemberPicker } from '../pickers.tsx'
import { useUpdateBot } from './bot-data.ts'

/** The person who answers for a bot. */
export function Owner({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).owner
  const update = useUpdateBot(bot.id)
  const [chosen, setChosen] = useState<readonly Candidate[]>([])
  const [owner] = chosen
  const save = () => {
    if (!owner) return
    update.mutate(
      { ownerId: owner.id },
      {
        onSuccess: () => {
          setChosen([])
          showToast({ text: t.done(named(owner.name)) })
        },
      },
    )
  }
  return (
    <Card title={t.title} about={t.about}>
      <Facts>
        <dt>{t.now}</dt>
        <dd>{bot.ownerName === undefined ? t.nobody : <Name text={bot.ownerName} />}</dd>
      </Facts>
      <MemberPicker
        label={t.label}
        placeholder={t.placeholder}
        chosen={chosen}
        onChange={setChosen}
        max={1}
      />
      {update.isError && <ErrorNotice error={update.error} />}
      <Actions>
        <Button busy={update.isPending} disabled={!owner} onClick={save}>
          {t.change}
        </Button>
      </Actions>
    </Card>
  )
}
