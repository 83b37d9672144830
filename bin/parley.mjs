#!/usr/bin/env node
// Runs a command in this same process; from the sources, builds first what is stale. The npm package holds what was built.
import { existsSync } from 'node:fs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

if (existsSync(new URL('../server/cli/main.ts', import.meta.url))) {
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
}
const { main } = await import('../dist/parley.js')
await main(process.argv.slice(2))
