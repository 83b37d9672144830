import type { AvailableCommand } from '@agentclientprotocol/sdk'
import type { Client, Operations } from '../sdk/index.ts'
import { cut, oneLine } from './text.ts'

type BotCommand = Operations['setCommands']['input']['body']['commands'][number]

const MAX_COMMANDS = 50
const MAX_DESCRIPTION = 100

/** The agent's slash commands, as commands of the bot. */
export type Commands = {
  /** Adds the commands of a session to those of others. */
  add(commands: readonly AvailableCommand[]): void
  /** A text that begins with a command of the bot, with the agent's name for it. */
  translate(text: string): string
}

export function createCommands(parley: Client, log: (line: string) => void): Commands {
  /** Commands by their names in Parley, which has fewer letters for names than agents do. */
  const known = new Map<string, { agentName: string; command: BotCommand }>()
  let told = ''
  let isTelling = false

  async function tell(): Promise<void> {
    for (;;) {
      const commands = [...known.values()].map(({ command }) => command)
      const wanted = JSON.stringify(commands)
      if (wanted === told) break
      told = wanted
      await parley.setCommands({ body: { commands } }).catch((error: unknown) => {
        log(`the commands are not shown: ${Object(error).message}`)
      })
    }
    isTelling = false
  }

  return {
    add(commands) {
      for (const { name, description, input } of commands) {
        const botName = botNameOf(name)
        const other = known.get(botName)
        if (botName === '' || (other && other.agentName !== name)) continue
        if (!other && known.size >= MAX_COMMANDS) break
        const hint = cut(oneLine(input?.hint ?? ''), MAX_DESCRIPTION)
        known.set(botName, {
          agentName: name,
          command: {
            name: botName,
            description: cut(oneLine(description) || name, MAX_DESCRIPTION),
            ...(input && { arguments: [{ name: 'input', ...(hint !== '' && { description: hint }) }] }),
          },
        })
      }
      if (isTelling) return
      isTelling = true
      void tell()
    },
    translate: (text) =>
      text.replace(/^\/([a-z][a-z0-9_-]*)/, (whole, name: string) => {
        const agentName = known.get(name)?.agentName
        return agentName === undefined ? whole : `/${agentName}`
      }),
  }
}

/** Small letters, digits, `_` and `-`, beginning with a letter; empty where nothing of that is left. */
const botNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 32)
