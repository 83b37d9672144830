import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { ActionElement, ActionsInput, MessageActions } from '../../contract/actions.ts'
import type { Message } from '../../contract/message.ts'
import type { AuditEntry } from '../../contract/people/organization.ts'
import { organization, staticBot } from './cast.ts'
import { chatOf } from './chat.ts'
import { startTestParley } from './parley.ts'
import { signInAs, type TestPerson } from './people.ts'
import { openStream } from './stream.ts'

/* A bot's question as shown to a person, and the audit entry about their answer. */

export const CHANGED = 'this changed while you were looking; read it again'
export const STAGING = 'Deploy to staging? See https://example.com/plan'
export const PRODUCTION = 'Deploy to PRODUCTION and drop the database? See https://example.com/plan'
export const YES: ActionElement = { id: 'yes', text: 'Deploy', value: '1' }

export type Shown = Pick<Message, 'text'> & { actions?: MessageActions }
export type Change = { text?: string; actions?: ActionsInput | null }
type Given = { elementId: string; value?: string; values?: Record<string, string> }
export type Approvals = Awaited<ReturnType<typeof startApprovals>>

/** A server with a bot that asks Ada, the owner, and Ben, who has a page open. */
export async function startApprovals() {
  const server = await startTestParley()
  const orgId = await organization(server)
  const ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  const ben = await signInAs(server, { orgId, name: 'Ben' })
  const bot = await staticBot(server, orgId, 'Asker')
  const members = [ada.profileId, ben.profileId]
  const topicId: string = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  const stream = await openStream(ben, orgId)
  await stream.next(({ event }) => event === 'reset')
  return {
    ...{ server, orgId, ada, ben, bot, topicId, stream },

    async ask(text: string, actions: Partial<ActionsInput> = {}): Promise<string> {
      const asking = { elements: [YES], approval: true, ...actions }
      const asked = await bot.post('/v2/messages', { topicId, text, actions: asking })
      expect(asked.status, asked.text).toBe(201)
      return Object(asked.body).id
    },

    edit: (id: string, change: Change) => bot.patch(`/v2/messages/${id}`, change),

    look: async (id: string): Promise<Shown> => Object((await chatOf(ben).get(`messages/${id}`)).body),

    press(who: TestPerson, id: string, { actions }: Shown, given: Given = { elementId: 'yes' }) {
      const seen = { actionsId: actions?.id, ...(actions?.hash && { hash: actions.hash }) }
      return chatOf(who).post(`actions/${id}/press`, { ...seen, ...given })
    },

    /** Audit entries about answers to a message, by field, the newest first. */
    async entriesOf(id: string): Promise<Record<string, string | undefined>[]> {
      const { body } = await ada.get(`/people/organizations/${orgId}/audit?target=bot&limit=100`)
      const entries: AuditEntry[] = Object(body).entries
      return entries
        .map(({ changes }) => Object.fromEntries(changes.map(({ field, to }) => [field, to])))
        .filter(({ message }) => message === id)
    },

    async close(): Promise<void> {
      stream.close()
      await server.close()
    },
  }
}

/** Builds the hash as documented, with the keys sorted here. */
export function hashOf({ text, actions }: Shown): string {
  const { id: _id, hash: _hash, answers: _answers, outcome: _outcome, ...asked } = Object(actions)
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    const keys = Object.keys(value).sort()
    return Object.fromEntries(keys.map((key) => [key, sorted(Object(value)[key])]))
  }
  return createHash('sha256')
    .update(JSON.stringify(sorted({ ...asked, text })))
    .digest('hex')
}
