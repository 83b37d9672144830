import { organization, type StaticTestBot, staticBot } from './cast.ts'
import type { TestParley } from './parley.ts'
import { signInAs, type TestPerson } from './people.ts'
import { openStream, type TestStream } from './stream.ts'

export type ChatCast = {
  orgId: string
  ada: TestPerson
  ben: TestPerson
  cy: TestPerson
  bot: StaticTestBot
  topicId: string
  /** Events for a person from now on. */
  stream(who: TestPerson): Promise<TestStream>
  /** Events for a person after this number of the log. */
  streamAfter(who: TestPerson, position: string | undefined): Promise<TestStream>
  close(): void
}

/** Ada, who owns the organization, Ben and a bot share a topic; Cy is a member of the organization, not of the topic. */
export async function chatCast(server: TestParley): Promise<ChatCast> {
  const orgId = await organization(server)
  const ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  const ben = await signInAs(server, { orgId, name: 'Ben' })
  const cy = await signInAs(server, { orgId, name: 'Cy' })
  const bot = await staticBot(server, orgId)
  const members = [ada.profileId, ben.profileId]
  const topicId = Object((await bot.post('/v2/topics', { name: 'Releases', members })).body).id
  const open: TestStream[] = []
  return {
    orgId,
    ada,
    ben,
    cy,
    bot,
    topicId,
    async stream(who) {
      const opened = await openStream(who, orgId)
      await opened.next(({ event }) => event === 'reset')
      open.push(opened)
      return opened
    },
    async streamAfter(who, position) {
      const opened = await openStream(who, orgId, { query: `?after=${position}` })
      open.push(opened)
      return opened
    },
    close() {
      for (const stream of open) stream.close()
    },
  }
}
