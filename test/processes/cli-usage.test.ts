import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

let parley: CommandLine

beforeAll(async () => {
  parley = await openCommandLine()
})
afterAll(() => parley?.close())

describe('the command line', () => {
  it('explains itself', async () => {
    const [all, group, one, version] = await Promise.all([
      parley.run(['--help']),
      parley.run(['bot', '--help']),
      parley.run(['bot', 'create', '--help']),
      parley.run(['--version']),
    ])
    expect(all.stdout).toMatch(/^ {2}start +Run the server$/m)
    expect(all.stdout).toMatch(/^ {2}bot rotate-secret +Replace/m)
    expect(group.stdout).toContain('bot revoke-tokens')
    expect(group.stdout).not.toContain('org create')
    expect(one.stdout).toMatch(/--credential static\|oauth {3}.*\(required\)/)
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.concurrent.each([
    [['frobnicate'], 'There is no command "frobnicate"'],
    [['org'], 'Which of these?'],
    [['org', 'create', '--nam', 'x'], 'There is no option --nam. The options are --name'],
    [['org', 'create', '--name', 'x', 'y'], '"y" belongs to no option'],
    [['org', 'create', '--name', '--json'], '--name needs a value'],
    [['org', 'create', '--name', 'x', '--name', 'y'], '--name is given twice'],
    [['org', 'create', '--name', 'x'], 'Missing: --admin-email ADDRESS'],
    [['org', 'create', '--name', 'x', '--admin-email', 'nope'], 'such as ada@example.com'],
    [['org', 'create', '--name', 'x'.repeat(101), '--admin-email', 'a@b.cd'], '1 to 100 characters'],
    [['org', 'create', '--name', 'x\ny', '--admin-email', 'a@b.cd'], 'without control characters'],
    [['org', 'set', '--org', 'mine'], 'a UUID'],
    [['org', 'set', '--org', NOBODY], 'Nothing to set'],
    [['org', 'set', '--org', NOBODY, '--rate-limit', '-1'], '--rate-limit needs a value'],
    [['org', 'set', '--org', NOBODY, '--sign-in-days', '181'], 'days from 1 to 180, or none'],
    [['bot', 'create', '--org', NOBODY, '--name', 'x', '--credential', 'password'], 'static or oauth'],
    [['start', '--roles', 'api,cook'], 'api, worker, or api,worker'],
  ])('refuses %j and names the fix', async (args, fix) => {
    const { code, stdout, stderr } = await parley.run(args)
    expect(stderr).toContain(fix)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })
})
