#!/usr/bin/env node
// Lays out the folder of a new bot: a program that answers, the library beside it, and a place for its key.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const VARIABLES = ['PARLEY_URL', 'PARLEY_API_KEY', 'PARLEY_API_SECRET']
const USAGE = 'Usage: create-parley-bot FOLDER [--language typescript|python]'

/** The program of each language, and the command that starts it. */
const LANGUAGES = {
  typescript: { file: 'bot.mjs', start: 'npm start' },
  python: { file: 'bot.py', start: 'sh start.sh' },
}

function refuse(text) {
  console.error(text)
  process.exit(1)
}

function wanted() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { language: { type: 'string', default: 'typescript' }, help: { type: 'boolean' } },
    })
    if (values.help) {
      console.log(USAGE)
      process.exit(0)
    }
    if (positionals.length !== 1) refuse(USAGE)
    if (!Object.hasOwn(LANGUAGES, values.language)) refuse(`--language is typescript or python. ${USAGE}`)
    return { folder: resolve(positionals[0]), given: positionals[0], language: values.language }
  } catch (error) {
    return refuse(`${error.message}\n${USAGE}`)
  }
}

const { folder, given, language } = wanted()
if (existsSync(folder) && readdirSync(folder).length > 0) refuse(`${given} is not empty. Name a new folder.`)
mkdirSync(folder, { recursive: true })
cpSync(join(HERE, 'templates', language), folder, { recursive: true })
cpSync(join(HERE, 'library', language), folder, { recursive: true })
// npm leaves files of this name out of a package.
writeFileSync(join(folder, '.gitignore'), '.env\n*.position*\nnode_modules/\n__pycache__/\n')
if (language === 'typescript') namePackage(join(folder, 'package.json'))

const settings = join(folder, '.env')
writeFileSync(settings, VARIABLES.map((name) => `${name}=${process.env[name] ?? ''}\n`).join(''), {
  mode: 0o600,
})
chmodSync(settings, 0o600)

const isFilled = VARIABLES.every((name) => process.env[name])
const { file, start } = LANGUAGES[language]
console.log(`${file} in ${given} is your bot.
${isFilled ? '' : '\n  Create a bot in the console of your server (static key, polling), and write its key into .env.\n'}
  cd ${given}
  ${start}

Add the bot to a topic, and write to it there.`)

/** A package's name has small letters, digits and few signs. */
function namePackage(path) {
  const name = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
  const description = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, `${JSON.stringify({ ...description, name: name || 'bot' }, null, 2)}\n`)
}
