import { spawnSync } from 'node:child_process'

/** The tests need nothing installed: tests of missing programs are skipped. */
export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
