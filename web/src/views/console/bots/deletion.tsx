import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ConsoleBot, deleteBot } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { Button } from '../../../ui/controls.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { named } from '../../../ui/name.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useBotsChanged } from './bot-data.ts'

/** Ends the bot for good, and goes back to the others. */
export function Deletion({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).delete
  const toast = useToast()
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
      toast(t.done(named(bot.name)))
      // The list that is remembered still has it.
      queries.removeQueries({ queryKey: keys.of(organizationId, 'bot', 'list') })
      navigate(`/console/${organizationId}/bots`, { replace: true })
      queries.removeQueries({ queryKey: keys.of(organizationId, 'bot', bot.id) })
      void changed()
    },
  })
  return (
    <section className="card padded" aria-labelledby="bot-deletion">
      <h2 id="bot-deletion">{t.title}</h2>
      <p className="soft">{t.text}</p>
      <div className="actions">
        <Button look="danger" onClick={() => setAsking(true)}>
          {t.action}
        </Button>
      </div>
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
    </section>
  )
}
