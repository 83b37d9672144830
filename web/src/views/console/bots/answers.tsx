import { useQuery } from '@tanstack/react-query'
import { Fragment, useContext } from 'react'
import type { ConsoleBot, countBotAnswers } from '../../../../../contract/people/bots.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Card } from '../../../kit/form.tsx'
import { Facts } from '../../../kit/layout.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'

/** The figures of a bot's buttons, once people have used them: whether its answers helped, say. */
export function Answers({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).answers
  const language = useContext(LanguageContext)
  const { organizationId } = useMembership()
  const { data } = useQuery({
    queryKey: keys.of(organizationId, 'bot', bot.id, 'answers'),
    queryFn: () =>
      call<typeof countBotAnswers>('GET', '/people/organizations/{organizationId}/bots/{botId}/answers', {
        params: { organizationId, botId: bot.id },
      }),
  })
  if (!data || data.answers.length === 0) return null
  return (
    <Card title={t.title} about={t.about}>
      <Facts>
        {data.answers.map(({ elementId, count }) => (
          <Fragment key={elementId}>
            <dt>
              <code>{elementId}</code>
            </dt>
            <dd>{count.toLocaleString(language)}</dd>
          </Fragment>
        ))}
      </Facts>
    </Card>
  )
}
