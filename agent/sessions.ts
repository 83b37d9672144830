import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import type { RunningAgent } from './agent-process.ts'
import { AgentGone, describe } from './closing.ts'
import { earlierTexts } from './context.ts'
import type { AgentRequest, BotParts } from './parts.ts'

/** A session of the agent, and the newest message of the thread that it has been told. */
export type Session = { sessionId: string; seen: string | undefined }

/** The session of a thread: the one that the agent has open, or loads, or else a new one. */
export async function sessionFor(
  { state, log }: BotParts,
  agent: RunningAgent,
  thread: string,
  cwd: string,
): Promise<Session> {
  const { context, capabilities, sessions } = agent
  const kept = state.sessions.get(thread)
  if (kept && sessions.has(kept.sessionId)) return kept
  if (kept) {
    const given = { sessionId: kept.sessionId, cwd, mcpServers: [] }
    try {
      if (capabilities.sessionCapabilities?.resume) await context.request('session/resume', given)
      else if (capabilities.loadSession) await context.request('session/load', given)
      else throw new Error('the agent keeps no sessions')
      sessions.add(kept.sessionId)
      return kept
    } catch (error) {
      if (agent.ended.aborted) throw new AgentGone()
      log(`a thread goes on in a new session: ${describe(error)}`)
    }
  }
  const { sessionId } = await context.request('session/new', { cwd, mcpServers: [] })
  sessions.add(sessionId)
  return { sessionId, seen: undefined }
}

/** The folder for the work of a topic. */
export async function folderFor({ folder, isShared }: BotParts, topicId: string): Promise<string> {
  if (isShared) return folder
  const own = join(folder, topicId)
  await mkdir(own, { recursive: true })
  if ((await realpath(own)) !== own) throw new Error(`${own} leads to another place`)
  return own
}

/** The prompt: the part of the thread that the agent has missed, the text, and links to files. */
export async function promptFor(
  { parley, me }: BotParts,
  { messageId, topicId, text, attachments }: AgentRequest,
  threadId: string | undefined,
  { seen }: Session,
): Promise<ContentBlock[]> {
  // A command must be the first that the agent reads.
  const earlier = text.startsWith('/')
    ? undefined
    : await earlierTexts(parley, { topicId, threadId, before: messageId, after: seen, me: me.id })
  return [
    ...(earlier === undefined ? [] : [textBlock(`Said in this conversation before:\n\n${earlier}`)]),
    ...(text === '' ? [] : [textBlock(text)]),
    ...attachments.map(({ name = 'file', url, contentType }) => ({
      type: 'resource_link' as const,
      name,
      uri: url,
      mimeType: contentType,
    })),
  ]
}

const textBlock = (text: string) => ({ type: 'text' as const, text })
