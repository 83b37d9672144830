#!/usr/bin/env node
// Builds what is stale, then runs the command in this same process.
import { buildIfStale } from './build.mjs'

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Parley needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

await buildIfStale()
const { main } = await import('../dist/parley.js')
await main(process.argv.slice(2))
