import type { Random } from './random.ts'

/** The longest message, in code points. */
export const MESSAGE_LENGTH = 10_000
const FILE_LENGTH = 65_536
const PAGE_LENGTH = 512 * 1024

/** Id of the person whom generated texts mention. */
export const MENTIONED = '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b'

/** Pieces of Markdown that mean something, alone or beside each other, and beginnings of them. */
export const FRAGMENTS: readonly string[] = [
  ...[
    '>',
    '> ',
    '- ',
    '* ',
    '1. ',
    '1) ',
    '+ ',
    '  - ',
    '> - ',
    '#',
    '# ',
    '---',
    '***',
    '___',
    '===',
    '[ ] ',
    '[x] ',
  ],
  ...[
    '*',
    '**',
    '_',
    '__',
    '~',
    '~~',
    '*a ',
    '**a',
    '_a*b',
    '*_',
    'a_',
    'a*',
    '*a*',
    '**b**',
    '~~c~~',
    '_ ',
    ' *',
  ],
  ...['`', '``', '```', '```\n', '~~~', '`a', '`a`', '```js\n', '    ', '\t'],
  ...[
    '[',
    ']',
    '![',
    '](',
    '[a](',
    '[a](<',
    '[a](b "',
    '[a](b)',
    '![a](b)',
    ')',
    '(',
    '(a',
    '<',
    '>',
    '[a][b]',
    '[a]: b',
  ],
  ...[
    '<a ',
    '<a>',
    '</a>',
    '<!--',
    '-->',
    '<?',
    '<![CDATA[',
    '<b x="',
    '&#',
    '&amp;',
    '&#x41;',
    '\\',
    '\\*',
    '\\|',
  ],
  ...[
    'http://',
    'https://a.b/',
    'www.',
    'www.a.',
    'a@a.',
    'a@b.c',
    '@',
    'mailto:',
    'ftp://',
    '.',
    ',',
    '!',
    ':',
    ':a:',
  ],
  ...[
    '|',
    '||',
    '|a',
    '|-',
    '-|',
    '|:-:',
    '|\n',
    '|a|b|\n',
    '|-|-|\n',
    '\\|',
    '| |',
    '\n|',
    '\n-',
    '\n---|---\n',
  ],
  ...[
    '\n',
    '\n\n',
    ' \n',
    '  \n',
    '\\\n',
    ' ',
    '  ',
    'a\n-',
    'x',
    '1',
    'é',
    '👩‍🚀',
    '中',
    'ا',
    '\u200b',
    '\u202e',
    '\u0301',
  ],
  `<@${MENTIONED}>`,
  '<@',
]

/** Beginnings of code that make highlighters backtrack. */
const CODE_FRAGMENTS: readonly string[] = [
  ...[
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '</',
    '/*',
    '*/',
    '//',
    '#',
    '"',
    "'",
    '`',
    '\\',
    '${',
    '=>',
    '= ',
    '+',
  ],
  ...[
    'a',
    'a.',
    'a(',
    'a b ',
    'a: ',
    'a = ',
    '1',
    '1.',
    '0x',
    '1e',
    '_',
    '-',
    '--',
    '$',
    '@',
    '@a',
    '%',
    '&',
    ';',
    ',',
    ' ',
  ],
  ...[
    'function ',
    'class ',
    'def ',
    'select ',
    'import ',
    'if (',
    'let a',
    'var ',
    'return ',
    '<a b=',
    '<?php',
    'R"(',
    '\n',
    '\t',
  ],
]
const LANGUAGES = [
  'js',
  'ts',
  'cpp',
  'python',
  'sql',
  'xml',
  'markdown',
  'bash',
  'php',
  'swift',
  'scala',
  'perl',
  'r',
  'css',
  'yaml',
]

const PAGE_FRAGMENTS: readonly string[] = [
  ...[
    '<',
    '</',
    '<!--',
    '-->',
    '<!',
    '<?',
    '<a "',
    '<a b=',
    '<meta ',
    '<meta a',
    '<meta property="og:title" content="',
    '&',
    '&#',
    '&#x',
  ],
  ...[
    '<meta a='.padEnd(8000, 'a'),
    `<meta ${'a'.repeat(8000)}>`,
    `<meta ${'a '.repeat(4000)}>`,
    `<meta ${'a= '.repeat(2500)}>`,
  ],
  ...[
    '<title>',
    '</title',
    '<script>',
    '</script',
    '<svg>',
    '<template>',
    '<b>',
    '</c>',
    '"',
    "'",
    '=',
    ' ',
    'a',
    '/>',
    '\0',
  ],
]

const fill = (part: string, length: number): string =>
  part === '' ? '' : part.repeat(Math.ceil(length / part.length)).slice(0, length)

/** One fragment, or a few, again and again, with others around: what costs most for its length is of this form. */
function repetition(random: Random, fragments: readonly string[], length: number): string {
  const some = (most: number) =>
    Array.from({ length: random.integer(1, most) }, () => random.pick(fragments)).join('')
  const parts = random.integer(1, 3)
  let text = random.chance(0.5) ? some(3) : ''
  for (let part = 0; part < parts; part++) text += fill(some(4), Math.floor(length / parts)) + some(2)
  return text.slice(0, length)
}

/** A table whose rows are padded to the width of its head. */
function table(random: Random, length: number): string {
  const columns = random.integer(1, Math.floor(length / 4))
  const head = `${'|'.repeat(columns + 1)}\n${'|-'.repeat(columns)}|\n`
  const named = `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n`
  return (random.chance(0.5) ? head : named) + fill(random.pick(['|\n', 'a\n', '||\n', '|a|b|\n']), length)
}

const code = (random: Random, length: number): string =>
  `\`\`\`${random.pick(LANGUAGES)}\n${repetition(random, CODE_FRAGMENTS, length)}\n\`\`\``

/** A message of the maximum length, as costly as possible. */
export function hostileMarkdown(random: Random, length = MESSAGE_LENGTH): string {
  const markup = () => repetition(random, FRAGMENTS, length)
  const make = random.pick([markup, markup, markup, () => table(random, length), () => code(random, length)])
  return make().slice(0, length).toWellFormed()
}

export const hostileCode = (random: Random): { name: string; text: string } => ({
  name: `code.${random.pick(LANGUAGES)}`,
  text: repetition(random, CODE_FRAGMENTS, FILE_LENGTH),
})

const CSV_FRAGMENTS = ['"', '""', ',', ';', '\t', '\n', '\r', '\r\n', 'a', '1', '"a"', '",', '"\n', ' ']

export const hostileCsv = (random: Random): string => repetition(random, CSV_FRAGMENTS, FILE_LENGTH)

export const hostilePage = (random: Random): string =>
  `${random.chance(0.5) ? '<!doctype html><html><head><title>Page</title>' : ''}${repetition(random, PAGE_FRAGMENTS, PAGE_LENGTH)}`
