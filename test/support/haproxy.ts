import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedPort, until } from './receiver.ts'

/** Debian puts it where only root's path leads; undefined: it is not installed. */
export const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((path) => spawnSync(path, ['-v']).status === 0)

export type Haproxy = { url: string; close(): Promise<void> }

/**
 * Starts haproxy in front of these nodes with the settings of docs/operations.md, but for the times. Undefined if it is
 * not installed.
 */
export async function startHaproxy(nodes: readonly string[]): Promise<Haproxy | undefined> {
  if (HAPROXY === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'parley-haproxy-'))
  const port = await closedPort()
  const servers = nodes.map((node, number) => `  server node${number} ${new URL(node).host}`)
  // haproxy hangs up silently if no node is left: its own error pages are not Parley's answers.
  await writeFile(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 75s
  timeout server 75s
  errorfile 502 /dev/null
  errorfile 503 /dev/null
  errorfile 504 /dev/null
frontend parley
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /health/ready
  option redispatch
  default-server check inter 250ms fall 1 rise 1
${servers.join('\n')}
`,
  )
  const child = spawn(HAPROXY, ['-db', '-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await until(async () => (await fetch(`${url}/health/ready`).catch(() => undefined))?.status === 200)
  return {
    url,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
