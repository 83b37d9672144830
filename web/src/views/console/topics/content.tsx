import { useMutation } from '@tanstack/react-query'
import { Download, Eye } from 'lucide-react'
import { useState } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import type { ConsoleTopic } from '../../../../../contract/people/topics.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Actions, Quiet } from '../../../kit/layout.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { BackLink, PageHead } from '../../../kit/page.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useReading } from '../readings/ask-reading.tsx'
import { Said } from './said.tsx'
import { readAllOf, saveAsFile, useTopic, useTopicContent } from './topic-data.ts'

/** The messages of a topic, for who has a reading of it. Nothing is read before it is asked for. */
export default function Content({ topicId }: { topicId: string }) {
  const query = useTopic(topicId)
  if (query.data) return <Shown topic={query.data} />
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  return <SkeletonRows />
}

function Shown({ topic }: { topic: ConsoleTopic }) {
  const t = useTexts(consoleTopics).content
  const { organizationId } = useMembership()
  const [messages, setMessages] = useState<readonly Message[]>()
  const [hasBefore, setHasBefore] = useState(true)
  const read = useTopicContent(topic.id)
  const { read: withReading, dialog } = useReading()
  const subject = { type: 'topic', id: topic.id, name: topic.name } as const
  const reading = useMutation({
    mutationFn: () => withReading(subject, () => read({ before: messages?.[0]?.id })),
    onSuccess: (page) => {
      if (!page) return
      setMessages([...page.messages, ...(messages ?? [])])
      setHasBefore(page.hasBefore)
    },
  })
  const exporting = useMutation({
    mutationFn: () => withReading(subject, () => readAllOf(read)),
    onSuccess: (all) => all && saveAsFile(`topic-${topic.id}-messages.json`, { topic, messages: all }),
  })
  const error = reading.error ?? exporting.error
  return (
    <>
      <BackLink to={`/console/${organizationId}/topics/${topic.id}`}>{topic.name}</BackLink>
      <PageHead title={t.title} about={t.about}>
        <Button icon={Download} busy={exporting.isPending} onClick={() => exporting.mutate()}>
          {t.export}
        </Button>
      </PageHead>
      <Notice tone="warn">{t.warning}</Notice>
      {error && <ErrorNotice error={error} />}
      {(messages === undefined || (hasBefore && messages.length > 0)) && (
        <Actions>
          <Button
            look={messages === undefined ? 'primary' : 'outline'}
            icon={Eye}
            busy={reading.isPending}
            onClick={() => reading.mutate()}
          >
            {messages === undefined ? t.show : t.earlier}
          </Button>
        </Actions>
      )}
      {messages?.length === 0 && <Quiet>{t.none}</Quiet>}
      {messages !== undefined && messages.length > 0 && <Said label={t.title} messages={messages} />}
      {dialog}
    </>
  )
}
