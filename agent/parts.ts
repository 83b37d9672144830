import type { Client } from '../sdk/index.ts'
import type { Commands } from './commands.ts'
import type { Approvers } from './people.ts'
import type { State } from './state.ts'

/** A person's request to the agent. */
export type AgentRequest = {
  messageId: string
  topicId: string
  parentId?: string | undefined
  senderId: string
  text: string
  attachments: readonly { name?: string; url: string; contentType: string }[]
}

/** Parts and settings that the functions of a running bot share. */
export type BotParts = {
  parley: Client
  me: { id: string; name: string }
  state: State
  /** The real path of the folder that everything is below. */
  folder: string
  isShared: boolean
  approvers: Approvers
  /** Profile ids of those who may ask; undefined for everyone. */
  askers: ReadonlySet<string> | undefined
  commands: Commands
  log: (line: string) => void
}
