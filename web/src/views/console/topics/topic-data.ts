import { useMutation, useQuery } from '@tanstack/react-query'
import type { Message } from '../../../../../contract/message.ts'
import type { setBotReach } from '../../../../../contract/people/chat.ts'
import type {
  addConsoleTopicMembers,
  ConsoleTopic,
  exportConsoleTopic,
  listConsoleTopicMembers,
  listConsoleTopics,
  readConsoleTopic,
  readTopicContent,
  removeConsoleTopicMembers,
  updateConsoleTopic,
} from '../../../../../contract/people/topics.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { useChanged } from '../changes.ts'
import { useListPage } from '../list-page.ts'

const TOPICS = '/people/organizations/{organizationId}/topics'
const TOPIC = `${TOPICS}/{topicId}` as const

type ListQuery = NonNullable<Parameters<typeof call<typeof listConsoleTopics>>[2]['query']>
type MembersQuery = NonNullable<Parameters<typeof call<typeof listConsoleTopicMembers>>[2]['query']>

export const useTopics = (asked: ListQuery) =>
  useListPage({
    kind: 'topic',
    list: ['list'],
    asked,
    read: async (query, organizationId) => {
      const { topics: rows, ...page } = await call<typeof listConsoleTopics>('GET', TOPICS, {
        params: { organizationId },
        query,
      })
      return { rows, ...page }
    },
  })

export function useTopic(topicId: string) {
  const { organizationId } = useMembership()
  return useQuery({
    queryKey: keys.of(organizationId, 'topic', topicId),
    queryFn: () => call<typeof readConsoleTopic>('GET', TOPIC, { params: { organizationId, topicId } }),
  })
}

export const useTopicMembers = (topicId: string, asked: MembersQuery) =>
  useListPage({
    kind: 'topic',
    list: [topicId, 'members'],
    asked,
    read: async (query, organizationId) => {
      const { members: rows, ...page } = await call<typeof listConsoleTopicMembers>(
        'GET',
        `${TOPIC}/members`,
        { params: { organizationId, topicId }, query },
      )
      return { rows, ...page }
    },
  })

export function useTopicChange(onDone: (topic: ConsoleTopic) => void) {
  const { organizationId } = useMembership()
  const changed = useChanged()
  return useMutation({
    mutationFn: ({
      topicId,
      ...body
    }: { topicId: string } & Parameters<typeof call<typeof updateConsoleTopic>>[2]['body']) =>
      call<typeof updateConsoleTopic>('PATCH', TOPIC, { params: { organizationId, topicId }, body }),
    onSuccess: (topic) => {
      changed('topic')
      onDone(topic)
    },
  })
}

/** Adds or removes people and bots. */
export function useMembersChange(topicId: string) {
  const { organizationId } = useMembership()
  const changed = useChanged()
  const params = { organizationId, topicId }
  const done = <Answer>(answer: Answer): Answer => {
    changed('topic')
    return answer
  }
  return {
    add: (memberIds: string[], reach: Reach) =>
      call<typeof addConsoleTopicMembers>('POST', `${TOPIC}/members`, {
        params,
        body: { memberIds, reach },
      }).then(done),
    setReach: (botId: string, reach: Reach) =>
      call<typeof setBotReach>(
        'PATCH',
        '/people/organizations/{organizationId}/chat/topics/{topicId}/members/{botId}',
        { params: { ...params, botId }, body: { reach } },
      ).then(done),
    remove: (memberIds: string[]) =>
      call<typeof removeConsoleTopicMembers>('DELETE', `${TOPIC}/members`, {
        params,
        body: { memberIds },
      }).then(done),
  }
}

/** Hands the reader a file with what the topic is; nothing that was said. */
export function useTopicExport() {
  const { organizationId } = useMembership()
  return async (topic: ConsoleTopic) => {
    const exported = await call<typeof exportConsoleTopic>('GET', `${TOPIC}/export`, {
      params: { organizationId, topicId: topic.id },
    })
    saveAsFile(`topic-${topic.id}.json`, exported)
  }
}

/** Hands the reader a file. */
export const saveAsFile = (name: string, content: unknown): void =>
  saveText(name, 'application/json', `${JSON.stringify(content, null, 2)}\n`)

export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

/** Reads a page of messages. Each read is written to the audit log. */
export function useTopicContent(topicId: string) {
  const { organizationId } = useMembership()
  const changed = useChanged()
  return async ({ before, limit = 50 }: { before?: string | undefined; limit?: number }) => {
    const page = await call<typeof readTopicContent>('POST', `${TOPIC}/content`, {
      params: { organizationId, topicId },
      body: { limit, ...(before !== undefined && { before }) },
    })
    changed()
    return page
  }
}

/** All of it, page by page. */
export async function readAllOf(read: ReturnType<typeof useTopicContent>): Promise<Message[]> {
  const all: Message[] = []
  for (;;) {
    const { messages, hasBefore } = await read({ before: all[0]?.id, limit: 100 })
    all.unshift(...messages)
    if (!hasBefore) return all
  }
}
