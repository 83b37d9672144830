import { describe, expect, it, onTestFinished } from 'vitest'
import { openApiDocument } from '../contract/openapi.ts'
import { faultOf } from './support/expression-judge.ts'
import { readExpressions } from './support/expressions.ts'

/** Expressions that are not linear, by file, with why no text of a stranger makes them slow. */
const EXCEPTIONS: readonly [file: string, why: string, ...expressions: RegExp[]][] = [
  ['server/config.ts', 'settings of the operator', /^(mailto:\S+@\S+|https:\/\/\S+)$/],
  ['server/settings-reader.ts', 'settings of the operator', /\/+$/],
  ['server/telemetry/settings.ts', 'settings of the operator', /\/+$/],
  ['server/cli/commands/mcp.ts', 'arguments of a command', /\/+$/],
  ['sdk/settings.ts', 'settings of the program that has the library', /\/+$/],
  ['sdk/create-parley-bot/index.mjs', 'arguments of a command', /^-+|-+$/g],
  [
    'sdk/declarations.mjs',
    'declarations of our own',
    /^import (?:type )?(?:[\s\S]*?) from "\.\/[^"]+";$/gm,
    /^export (type )?\{([\s\S]*?)\} from "\.\/([^"]+)";$/gm,
  ],
  ['server/backup/bucket-place.ts', 'settings of the operator', /\/+$/],
  ['server/notify/push-sender.ts', 'settings of the operator', /([^\s<>]+@[^\s<>]+)/],
  ['server/keys/key-file.ts', 'a file of the operator', /\s*\n\s*/],
  ['server/postgres/data-folder.ts', 'what the system says of its disks', /^(\S+)\s+(.+?)\s*$/],
  ['server/routes/mcp/resources.ts', 'addresses of our own', /\{.*$/, /\{\?.*\}$/],
  ['server/failure-text.ts', 'looks at 2,000 characters at most', /(:\/\/[^\s?"']*\?)[^\s"']+/g],
  [
    'contract/passwords/easy-passwords.ts',
    'a password has 1,000 characters at most',
    /^[\d\p{P}\p{S}\s]+|[\d\p{P}\p{S}\s]+$/gu,
  ],
  [
    'server/db/statements.ts',
    'migrations of our own',
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-/'"$;]+|[\s\S]/g,
  ],
  [
    'server/actions/bots/commands.ts',
    'behind the first space everything matches, so that nothing is tried again',
    /^\/([a-z][a-z0-9_-]{0,31})(?:\s+<@(b@[0-9a-fA-F-]{36})>)?(?:\s+([\s\S]*))?$/,
  ],
  [
    'contract/markdown/guides.ts',
    'guides of our own',
    /^(?:<!--[\s\S]*?-->|!\[.*\]\(.*\)|<picture>[\s\S]*?<\/picture>)\n/gm,
  ],
  ['web/src/views/console/members/invited-lines.ts', "lines of the admin's own", /^(.*?)\s*<([^<>]+)>$/],
  ['web/src/views/account/setup.tsx', 'what the person types there', /^\S+@\S+$/],
  [
    'web/src/chat/views/makers/make-location.tsx',
    'what the person types there',
    /^\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/,
  ],
  ['contract/markdown/parse.ts', 'looks at 200 characters at most', /^(?:\p{RGI_Emoji}|\s)+$/v],
]

/** Calls that are not made when a module loads here, by file, with why their expressions are linear. All others are tried. */
const MADE_LATER: Readonly<Record<string, string>> = {
  'sdk/pack.mjs': 'fields of our own pyproject.toml',
  'contract/refusals/recognize.ts': 'texts of our own refusals, which are short',
  'server/routes/incoming.ts': 'an id between two signs: no repetition',
  'server/routes/mcp/resources.ts': 'paths of our own, in which an id ends at the next slash',
  'web/src/kit/name.tsx': 'one class between two signs that are not in it',
  'web/src/chat/views/dialogs/emoji-dialog.tsx': 'the pattern of the contract, which is tried',
  'web/src/chat/views/conversation/emoji/custom.tsx': 'as contract/custom-emoji.ts makes it, which is tried',
  'web/src/chat/views/conversation/composer/written.ts': 'names side by side, without repetition',
}

const { literals, made } = await readExpressions()

const named = ({ file, source, flags }: { file: string; source: string; flags: string }) =>
  `${file} /${source}/${flags}`

const exceptions = new Set(
  EXCEPTIONS.flatMap(([file, , ...expressions]) =>
    expressions.map(({ source, flags }) => named({ file, source, flags })),
  ),
)

/** Expressions that modules build while they load. */
async function madeAtLoad(
  files: readonly string[],
): Promise<{ file: string; source: string; flags: string }[]> {
  const found: { file: string; source: string; flags: string }[] = []
  const original = globalThis.RegExp
  let file = ''
  const note = (expression: object) => {
    if (expression instanceof original)
      found.push({ file, source: expression.source, flags: expression.flags })
    return expression
  }
  onTestFinished(() => {
    globalThis.RegExp = original
  })
  globalThis.RegExp = new Proxy(original, {
    construct: (target, given, newTarget) => note(Reflect.construct(target, given, newTarget)),
    apply: (target, self, given) => note(Reflect.apply(target, self, given)),
  })
  for (file of files) await import(/* @vite-ignore */ `../${file}?fresh`)
  globalThis.RegExp = original
  return found
}

/** Patterns that requests and answers are checked against. */
function patternsIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, child] of Object.entries(value)) {
    if (name === 'pattern' && typeof child === 'string') found.add(child)
    else patternsIn(child, found)
  }
  return found
}

describe('every regular expression', () => {
  it('is found', () => {
    expect(literals.length).toBeGreaterThan(300)
    expect(made.length).toBeGreaterThan(10)
  })

  it('is linear in the text that it sees, or says why that text is short or our own', async () => {
    const atLoad = made.filter(({ file }) => !(file in MADE_LATER))
    const loaded = await madeAtLoad([...new Set(atLoad.map(({ file }) => file))])
    for (const { file, line } of atLoad)
      expect(
        loaded.some((each) => each.file === file),
        `${file}:${line} makes none when it loads: list it in MADE_LATER`,
      ).toBe(true)
    const patterns = [...patternsIn(openApiDocument('https://parley.example'))].map((source) => ({
      file: 'contract',
      source,
      flags: 'u',
    }))
    const distinct = new Map([...literals, ...loaded, ...patterns].map((each) => [named(each), each]))
    const faults = [...distinct].flatMap(([name, { source, flags }]) => {
      const fault = exceptions.has(name) ? undefined : faultOf(source, flags)
      return fault === undefined ? [] : [`${name}: ${fault}`]
    })
    expect(faults).toEqual([])
    expect(
      [...exceptions].filter((name) => !distinct.has(name)),
      'exceptions that are gone',
    ).toEqual([])
    expect(
      Object.keys(MADE_LATER).filter((name) => !made.some(({ file }) => file === name)),
      'calls that are gone',
    ).toEqual([])
  })

  it('would be found out if it were not', () => {
    for (const source of [
      'a+$',
      '(a+)+b',
      '<!--.*-->',
      'x[^y]*y',

      '\\s*\\n\\s*',
      '://[^ ?]*\\?',
    ])
      expect([source, faultOf(source, '') !== undefined]).toEqual([source, true])
    for (const source of ['^a+$', 'a+', '<[^<>]*>', '"[^"\\n]*"'])
      expect([source, faultOf(source, '')]).toEqual([source, undefined])
  })
})
