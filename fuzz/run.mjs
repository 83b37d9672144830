import { runSources } from '../bin/run-sources.mjs'

await runSources('fuzz')
