import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

/** Handlers of a process of the benchmark, by name. */
export type Handlers = Record<string, (argument: never) => unknown>
type Argument<Handler> = Handler extends (argument: infer Given) => unknown ? Given : never

type Question = { id: number; name: string; argument: unknown }
type Reply = { id: number; result?: unknown; error?: string }

export type Child<Asked extends Handlers> = {
  ask<Name extends keyof Asked & string>(
    name: Name,
    argument: Argument<Asked[Name]>,
  ): Promise<Awaited<ReturnType<Asked[Name]>>>
  end(): Promise<void>
}

/** The child's side: answers questions until the parent is gone. */
export function serve(handlers: Handlers): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      // The parent is typed with the same handlers.
      const result = await handlers[name]?.(argument as never)
      process.send?.({ id, result } satisfies Reply)
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.message : String(error) })
    }
  })
  process.on('disconnect', () => process.exit(0))
  // Ctrl-C reaches the whole group; the parent decides when this ends.
  process.on('SIGINT', () => {})
}

export function startChild<Asked extends Handlers>(file: string): Child<Asked> {
  const child = fork(file, { serialization: 'advanced' })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let last = 0
  child.on('message', ({ id, result, error }: Reply) => {
    const asked = waiting.get(id)
    waiting.delete(id)
    if (error === undefined) asked?.resolve(result)
    else asked?.reject(new Error(error))
  })
  child.on('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`${file} ended: ${signal ?? code}`))
    waiting.clear()
  })
  return {
    ask: (name, argument) =>
      new Promise((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve: (result) => resolve(result as never), reject })
        child.send({ id: last, name, argument } satisfies Question)
      }),
    end: () => endProcess(child),
  }
}

export const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

async function endProcess(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
