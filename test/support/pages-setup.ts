import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '../../bin/build.mjs'
import { fastFolder } from './fast-folder.ts'
import { startServerProcess, stop } from './server-process.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The data of a server that was started once, without a set-up. */
    newData: string
  }
}

/** Builds once, and makes one new database that each file copies: making one takes two seconds of a processor. */
export default async function setup(project: TestProject) {
  await buildIfStale()
  const newData = await fastFolder('parley-new-')
  const { process } = await startServerProcess({ DATA_DIR: newData })
  await stop(process)
  project.provide('newData', newData)
  return () => rm(newData, { recursive: true, force: true })
}
