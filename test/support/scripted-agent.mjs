// An agent of the Agent Client Protocol that does what a prompt says, without a model:
// `say WORDS`, `plan`, `permit TITLE`, `wait`, `stubborn`, `die`, `read PATH`, `write PATH TEXT`, `flood COUNT`,
// `long COUNT`, `pieces JSON`, `variables`, `tokens COUNT`, `blocks`. Sessions are files in AGENT_SESSIONS, if it is set.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, ndJsonStream, RequestError } from '@agentclientprotocol/sdk'

const { AGENT_SESSIONS: folder, AGENT_LEDGER: ledger, AGENT_SIGNED_OUT } = process.env
const COMMANDS = [
  { name: 'deploy', description: 'Deploy a version', input: { hint: 'version' } },
  { name: 'mcp:Review', description: 'Review the changes' },
]
const sessions = new Map()
let count = 0

const fileOf = (id) => join(folder, `${id}.json`)
function keep(id) {
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(fileOf(id), JSON.stringify(sessions.get(id).prompts))
}
const note = (what) => ledger && appendFileSync(ledger, `${what}\n`)

const app = agent({ name: 'scripted' })
  .onRequest('initialize', () => ({
    protocolVersion: 1,
    agentInfo: { name: 'scripted', title: 'Scripted Agent', version: '1.0.0' },
    agentCapabilities: { loadSession: folder !== undefined },
  }))
  .onRequest('session/new', async ({ params, client }) => {
    if (AGENT_SIGNED_OUT) throw RequestError.authRequired()
    count += 1
    const sessionId = `session-${process.pid}-${count}`
    sessions.set(sessionId, { cwd: params.cwd, prompts: [] })
    keep(sessionId)
    note(`new ${sessionId}`)
    setImmediate(() =>
      client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'available_commands_update', availableCommands: COMMANDS },
      }),
    )
    return { sessionId }
  })
  .onRequest('session/load', async ({ params: { sessionId, cwd }, client }) => {
    if (!existsSync(fileOf(sessionId))) throw RequestError.sessionNotFound(sessionId)
    const prompts = JSON.parse(readFileSync(fileOf(sessionId), 'utf8'))
    sessions.set(sessionId, { cwd, prompts })
    note(`load ${sessionId}`)
    for (const text of prompts)
      await client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `REPLAY ${text}` } },
      })
    return {}
  })
  .onNotification('session/cancel', ({ params }) => {
    note(`cancel ${params.sessionId}`)
    sessions.get(params.sessionId)?.cancel?.()
  })
  .onRequest('session/prompt', async ({ params: { sessionId, prompt }, client }) => {
    const session = sessions.get(sessionId)
    if (!session) throw RequestError.sessionNotFound(sessionId)
    const texts = prompt.map((block) => block.text ?? block.uri)
    const text = texts.at(-1)
    session.prompts.push(text)
    keep(sessionId)
    note(`prompt ${text}`)
    const cancelled = new Promise((resolve) => {
      session.cancel = () => resolve('cancelled')
    })
    const update = (change) => client.notify('session/update', { sessionId, update: change })
    const say = (words) =>
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } })
    const [verb] = text.split(' ', 1)
    const rest = text.slice(verb.length + 1)
    const act = {
      async say() {
        for (const word of rest.split(/(?<= )/)) await say(word)
      },
      async plan() {
        const entries = (...statuses) =>
          ['Read', 'Change', 'Test'].map((content, index) => ({
            content,
            priority: 'medium',
            status: statuses[index],
          }))
        await update({ sessionUpdate: 'plan', entries: entries('in_progress', 'pending', 'pending') })
        await update({
          sessionUpdate: 'tool_call',
          toolCallId: 'one',
          title: 'Open notes.md',
          status: 'in_progress',
        })
        await update({
          sessionUpdate: 'tool_call_update',
          toolCallId: 'one',
          status: 'completed',
          locations: [{ path: join(session.cwd, 'notes.md'), line: 3 }],
          content: [{ type: 'content', content: { type: 'text', text: 'three lines' } }],
        })
        await say('I have read it.')
        await update({ sessionUpdate: 'plan', entries: entries('completed', 'completed', 'completed') })
        await say('And changed it.')
      },
      async permit() {
        const { outcome } = await client.request('session/request_permission', {
          sessionId,
          toolCall: { toolCallId: 'run', title: rest, kind: 'execute', rawInput: { command: 'npm test' } },
          options: [
            { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
            { optionId: 'no', name: 'Refuse', kind: 'reject_once' },
          ],
        })
        await say(`The outcome is ${outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome}.`)
        if (outcome.outcome === 'cancelled') return 'cancelled'
      },
      async wait() {
        await say('I am waiting.')
        return cancelled
      },
      async stubborn() {
        await say('I go on.')
        await new Promise(() => {})
      },
      async die() {
        console.error(`key ${process.env.PARLEY_API_SECRET ?? 'unknown'}, ${rest}`)
        await say('Half of it')
        await sleep(50) // the piece needs a moment to arrive
        process.exit(3)
      },
      async read() {
        const { content } = await client.request('fs/read_text_file', {
          sessionId,
          path: join(session.cwd, rest),
        })
        await say(`It says: ${content}`)
      },
      async write() {
        const [path = '', ...words] = rest.split(' ')
        const given = { sessionId, path: join(session.cwd, path), content: words.join(' ') }
        await client.request('fs/write_text_file', given)
        await say(`Wrote ${path}.`)
      },
      async flood() {
        for (let index = 0; index < Number(rest); index++) {
          await update({
            sessionUpdate: 'tool_call',
            toolCallId: `${index}`,
            title: `Call ${index}`,
            status: 'in_progress',
          })
          await say('word ')
        }
      },
      long: () => say('0123456789'.repeat(Number(rest) / 10)),
      async pieces() {
        for (const piece of JSON.parse(rest)) await say(piece)
      },
      variables: () =>
        say(
          Object.keys(process.env)
            .filter((name) => /PARLEY|KEPT/.test(name))
            .join(' ') || 'none',
        ),
      async blocks() {
        await say(JSON.stringify(texts))
      },
      tokens: () => say('Counted.'),
    }[verb]
    try {
      const reason = act ? await act() : await say(`You said: ${text}`)
      const usage = { totalTokens: Number(rest), inputTokens: 0, outputTokens: Number(rest) }
      return { stopReason: reason ?? 'end_turn', ...(verb === 'tokens' && { usage }) }
    } catch (error) {
      if (verb !== 'read' && verb !== 'write') throw error
      await say(`Refused: ${error.message}`)
      return { stopReason: 'end_turn' }
    }
  })

app.connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)))
process.stdin.on('end', () => process.exit(0))
