#!/usr/bin/env node
// Runs a command in this same process; from the sources, builds first what is stale. The npm package holds what was built.
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

let folder = new URL('../dist/', import.meta.url)
if (existsSync(new URL('../server/cli/main.ts', import.meta.url))) {
  const { buildIfStale } = await import('./build.mjs')
  folder = pathToFileURL(`${await buildIfStale()}/`)
}
const { main } = await import(new URL('parley.js', folder).href)
await main(process.argv.slice(2))
