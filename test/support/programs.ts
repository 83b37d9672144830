import { spawnSync } from 'node:child_process'

/** The tests need nothing installed: what a machine does not have is left out there. */
export const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
