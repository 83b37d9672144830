import { spawn } from 'node:child_process'
import { OperatorError } from '../errors.ts'
import { explainSpawnFailure } from './failures.ts'
import { type SystemUser, spawnAs } from './user.ts'

/** Nothing of our own environment: it holds secrets, and a stray PGPORT or PGOPTIONS would change what PostgreSQL does. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const { PATH, LD_LIBRARY_PATH } = process.env
  return { ...(PATH && { PATH }), ...(LD_LIBRARY_PATH && { LD_LIBRARY_PATH }), LC_ALL: 'C', TZ: 'UTC' }
}

type Run = { user: SystemUser | undefined; cwd: string; input?: string; extraFile?: number }

/** Runs a program to its end; its output is part of the error when it fails. `extraFile` is its file descriptor 3. */
export function runProgram(
  program: string,
  args: string[],
  { user, cwd, input = '', extraFile }: Run,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: cleanEnvironment(),
      stdio: ['pipe', 'pipe', 'pipe', ...(extraFile === undefined ? [] : [extraFile])],
      ...spawnAs(user),
    })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => output.push(text))
    }
    child.once('error', (error) => reject(explainSpawnFailure(error, program, user)))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve()
      reject(explainFailure(`${program} ended with ${signal ?? `code ${code}`}:\n${output.join('').trim()}`))
    })
    // A program that ends early leaves its input unread; its exit code says so.
    child.stdin?.on('error', () => {}).end(input)
  })
}

/** Containers may run under any number; initdb wants a name for it, the server does not. */
function explainFailure(text: string): OperatorError {
  const [, uid] = /could not look up effective user ID (\d+)/.exec(text) ?? []
  if (uid === undefined) return new OperatorError(text)
  return new OperatorError(
    `PostgreSQL asks for the name of user ${uid}, and /etc/passwd has none. Add the line "parley:x:${uid}:${uid}::/:/sbin/nologin" to it, run Parley as a user it lists (docker: --user node), or set DATABASE_URL to a PostgreSQL server of yours.`,
  )
}
