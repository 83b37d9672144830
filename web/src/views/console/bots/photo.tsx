import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { removeBotPhoto } from '../../../../../contract/people/bot-photos.ts'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { call, upload } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button, FileButton } from '../../../kit/button.tsx'
import { Face } from '../../../kit/face.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions } from '../../../kit/layout.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'

/** The picture of a bot, in the shape that all bots have. */
export function Photo({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).photo
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [isTooLarge, setTooLarge] = useState(false)
  const done = (text: string) => {
    showToast({ text })
    void changed()
  }
  const path = `/people/organizations/${organizationId}/bots/${encodeURIComponent(bot.id)}/photo`
  const setting = useMutation({
    mutationFn: (file: File) => upload<ConsoleBot>(path, file),
    onSuccess: () => done(t.saved),
  })
  const removal = useMutation({
    mutationFn: () =>
      call<typeof removeBotPhoto>('DELETE', '/people/organizations/{organizationId}/bots/{botId}/photo', {
        params: { organizationId, botId: bot.id },
      }),
    onSuccess: () => done(t.removed),
  })
  const choose = (file: File) => {
    removal.reset()
    setting.reset()
    setTooLarge(file.size > LIMITS.coverBytes)
    if (file.size <= LIMITS.coverBytes) setting.mutate(file)
  }
  const error = setting.error ?? removal.error
  return (
    <Card title={t.title} about={t.about}>
      <Face member={{ ...bot, type: 'bot' }} size={64} />
      {error && <ErrorNotice error={error} />}
      {isTooLarge && (
        <Notice tone="bad">
          <p>{t.tooLarge}</p>
        </Notice>
      )}
      <Actions>
        <FileButton accept="image/png,image/jpeg" busy={setting.isPending} onChosen={choose}>
          {t.choose}
        </FileButton>
        {bot.photoId !== undefined && (
          <Button busy={removal.isPending} onClick={() => removal.mutate()}>
            {t.remove}
          </Button>
        )}
      </Actions>
    </Card>
  )
}
