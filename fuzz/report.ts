import type { Finding, Fuzzer } from './fuzzer.ts'
import type { FuzzedServer } from './server.ts'
import { bytesOf, type Request, type Result } from './wire.ts'

const SHOWN_CHARACTERS = 600

/** The fault, everything needed to repeat it, and what the server logged of it. */
export function describeFinding(
  { planned, mistake, result, before }: Finding,
  seed: number,
  { url, output }: Pick<FuzzedServer, 'url' | 'output'>,
): string {
  const { operation, caller, number } = planned
  const again = number < 0 ? `--seed ${seed}` : `--replay ${seed}:${number}`
  return [
    `${operation?.id ?? planned.target.slice(0, 80)} as ${caller.name}: ${mistake}`,
    `  seed ${seed}, request ${number}: npm run fuzz -- ${again}`,
    `  ${asCurl(planned, url)}`,
    `  ${describeResult(result)}`,
    ...(before && typeof result === 'string'
      ? [`  before it on this connection: ${asCurl(before, url)}`]
      : []),
    ...linesOf(output(), result).map((line) => `  in the log: ${shortened(line, 2000)}`),
  ].join('\n')
}

function linesOf(log: string, result: Result): string[] {
  const id = typeof result === 'string' ? null : result.headers.get('x-request-id')
  return id === null ? [] : log.split('\n').filter((line) => line.includes(id))
}

function describeResult(result: Result): string {
  if (typeof result === 'string') return result
  return `${result.status} ${result.headers.get('x-request-id')} ${shortened(result.text)}`
}

/** The request as a shell command; its signature is valid for five minutes. */
export function asCurl(request: Request, url: string): string {
  const { method, target, headers, body, isBroken } = request
  if (isBroken) {
    const { port } = new URL(url)
    return `echo ${bytesOf(request).toString('base64')} | base64 -d | nc -q 5 127.0.0.1 ${port}`
  }
  const lines = headers.map(
    ([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`,
  )
  const data = body === undefined ? '' : ` --data-binary @<(echo ${body.toString('base64')} | base64 -d)`
  const isPlain = target.startsWith('/')
  const address = `--path-as-is ${quoted(url + (isPlain ? target : ''))}${isPlain ? '' : ` --request-target ${quoted(target)}`}`
  const verb = method === 'HEAD' ? '--head' : `-X ${method}`
  return shortened(`curl -sS -i --globoff ${verb} ${lines.join(' ')}${data} ${address}`, 6000)
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const shortened = (text: string, most = SHOWN_CHARACTERS): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text

/** Counts of each status, the most frequent first. */
export function describeStatuses({ statuses }: Fuzzer): string {
  return [...statuses]
    .sort(([, one], [, other]) => other - one)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
