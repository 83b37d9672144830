import { join } from 'node:path'
import { organization, type StaticTestBot, staticBot } from './cast.ts'
import { chatOf } from './chat.ts'
import { commandSettings, jsonOf, runHere } from './command-here.ts'
import { type CommandLine, openCommandLine, type Result } from './command-line.ts'
import { startTestParley, type TestParley } from './parley.ts'
import { signInAs, type TestPerson } from './people.ts'

/** A server, and the command that imports into it. Files are at most 1 MB. */
export type Imports = {
  server: TestParley
  /** Runs a command in this process. */
  run(args: readonly string[]): Promise<Result>
  /** Starts the real program. */
  begin(args: readonly string[]): ReturnType<CommandLine['begin']>
  /** The report of an import in this process. */
  json(format: string, path: string, orgId: string, ...more: string[]): Promise<Record<string, unknown>>
  /** The path for the next export. */
  place(): string
  emptyOrganization(): Promise<{ orgId: string; ada: TestPerson; bot: StaticTestBot }>
  close(): Promise<void>
}

export async function openImports(): Promise<Imports> {
  const server = await startTestParley()
  const commandLine = await openCommandLine()
  const environment = {
    ...commandSettings(server),
    MAX_FILE_MB: '1',
  }
  let exports = 0
  const run = (args: readonly string[]) => runHere(args, environment, commandLine.folder)
  return {
    server,
    run,
    begin: (args) => commandLine.begin(args, environment),
    json: async (format, path, orgId, ...more) =>
      jsonOf(await run(['import', format, path, '--org', orgId, ...more, '--json'])),
    place: () => join(commandLine.folder, `export-${exports++}`),
    async emptyOrganization() {
      const orgId = await organization(server)
      const ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner', email: 'ada@example.com' })
      return { orgId, ada, bot: await staticBot(server, orgId) }
    },
    async close() {
      await commandLine.close()
      await server.close()
    },
  }
}

type Topic = { id: string; name: string; type: string; open: boolean; memberIds?: string[]; unread?: number }

export async function topicsOf(who: TestPerson): Promise<Topic[]> {
  return Object((await chatOf(who).get('start')).body).topics
}

export async function messagesIn(who: TestPerson, topicId: string): Promise<Record<string, unknown>[]> {
  return Object((await chatOf(who).get(`topics/${topicId}/history?limit=100`)).body).messages
}
