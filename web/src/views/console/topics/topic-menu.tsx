import { Archive, Download, Hourglass, Lock, LockOpen, RotateCcw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { ConsoleTopic } from '../../../../../contract/people/topics.ts'
import { lazyView } from '../../../api/connection.ts'
import { Confirm } from '../../../kit/confirm.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import type { MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { recordsTexts } from '../../../texts/records.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useTopicChange, useTopicExport } from './topic-data.ts'

const KeepTopicMessages = lazyView(() => import('../records/keep-messages.tsx'))

type Question = { topic: ConsoleTopic; about: 'open' | 'close' | 'archive' }

/** An admin's actions on a topic, and the window that asks first. */
export function useTopicMenu() {
  const t = useTexts(consoleTopics)
  const errorText = useErrorText()
  const [question, setQuestion] = useState<Question>()
  const r = useTexts(recordsTexts).topic
  const [kept, setKept] = useState<ConsoleTopic>()
  const exportTopic = useTopicExport()
  const failed = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' })
  const change = useTopicChange((topic) => {
    const about = question?.about
    const name = named(topic.name)
    setQuestion(undefined)
    const done = about === 'open' ? t.opened : about === 'close' ? t.closed : t.archive.done
    showToast({ text: about === undefined ? t.restored(name) : done(name) })
  })
  const entries = (topic: ConsoleTopic): readonly MenuEntry[] => [
    ...(topic.state === 'archived'
      ? [
          {
            label: t.restore,
            icon: RotateCcw,
            onSelect: () => change.mutate({ topicId: topic.id, archived: false }, { onError: failed }),
          },
        ]
      : [
          ...(topic.open
            ? [{ label: t.close.action, icon: Lock, onSelect: () => setQuestion({ topic, about: 'close' }) }]
            : topic.isMember
              ? [
                  {
                    label: t.open.action,
                    icon: LockOpen,
                    onSelect: () => setQuestion({ topic, about: 'open' }),
                  },
                ]
              : []),
          {
            label: t.archive.action,
            icon: Archive,
            onSelect: () => setQuestion({ topic, about: 'archive' }),
          },
        ]),
    { label: r.action, icon: Hourglass, onSelect: () => setKept(topic) },
    { kind: 'line' },
    { label: t.export, icon: Download, onSelect: () => void exportTopic(topic).catch(failed) },
  ]
  const asked = kept ? (
    <Suspense>
      <KeepTopicMessages topic={kept} onClose={() => setKept(undefined)} />
    </Suspense>
  ) : (
    question && (
      <Confirm
        title={t[question.about].title(named(question.topic.name))}
        text={t[question.about].text}
        costs={Object.values(t[question.about].costs)}
        action={t[question.about].action}
        look={question.about === 'close' ? 'primary' : 'danger'}
        busy={change.isPending}
        error={change.error}
        onConfirm={() =>
          change.mutate({
            topicId: question.topic.id,
            ...(question.about === 'archive' ? { archived: true } : { open: question.about === 'open' }),
          })
        }
        onClose={() => {
          change.reset()
          setQuestion(undefined)
        }}
      />
    )
  )
  return { entries, asked }
}
