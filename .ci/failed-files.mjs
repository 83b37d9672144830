// Prints the test files of a report that failed, one on each line; nothing when the run failed outside of any file.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'

const text = readFileSync(process.argv[2], 'utf8')
for (const { name, status } of text === '' ? [] : JSON.parse(text).testResults) {
  if (status === 'failed') console.log(relative(process.cwd(), name))
}
