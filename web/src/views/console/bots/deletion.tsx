import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConsoleBot, deleteBot } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Card } from '../../../kit/form.tsx'
import { Actions } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useBotsChanged } from './bot-data.ts'

/** Ends the bot for good, and goes back to the others. */
export function Deletion({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).delete
  const queries = useQueryClient()
  const changed = useBotsChanged()
  const [, navigate] = useLocation()
  const { organizationId } = useMembership()
  const [isAsking, setAsking] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      call<typeof deleteBot>('DELETE', '/people/organizations/{organizationId}/bots/{botId}', {
        params: { organizationId, botId: bot.id },
      }),
    onSuccess: () => {
      showToast({ text: t.done(named(bot.name)) })
      // The list that is remembered still has it.
      queries.removeQueries({ queryKey: keys.of(organizationId, 'bot', 'list') })
      navigate(`/console/${organizationId}/bots`, { replace: true })
      queries.removeQueries({ queryKey: keys.of(organizationId, 'bot', bot.id) })
      void changed()
    },
  })
  return (
    <Card title={t.title} about={t.text}>
      <Actions>
        <Button look="risk" onClick={() => setAsking(true)}>
          {t.action}
        </Button>
      </Actions>
      {isAsking && (
        <Confirm
          title={t.confirmTitle(named(bot.name))}
          text={t.confirm}
          action={t.action}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  )
}
