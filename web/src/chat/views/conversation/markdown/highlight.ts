import type { LanguageFn } from 'highlight.js'
import core from 'highlight.js/lib/core'
import { type CodePart, firstParts } from './code-parts.ts'

/** Longer code is shown without colours: it would cost more than it tells. */
const MAX_LENGTH = 65_536

type Language = { default: LanguageFn }

/** Each is loaded when a block, or the name of a file, asks for it. */
const LANGUAGES: Record<string, () => Promise<Language>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const OTHER_NAMES: Record<string, string> = {
  'c++': 'cpp',
  cc: 'cpp',
  cjs: 'javascript',
  conf: 'ini',
  'c#': 'csharp',
  cs: 'csharp',
  cts: 'typescript',
  docker: 'dockerfile',
  env: 'ini',
  h: 'c',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  js: 'javascript',
  jsonl: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  patch: 'diff',
  pl: 'perl',
  postgres: 'sql',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
}

/** Loads the words of a language; false where there are none. */
export async function loadLanguage(language: string): Promise<boolean> {
  const name = nameOf(language)
  const load = Object.hasOwn(LANGUAGES, name) ? LANGUAGES[name] : undefined
  if (load === undefined) return false
  if (core.getLanguage(name) === undefined) core.registerLanguage(name, (await load()).default)
  return true
}

/** The code in parts with names, in a language that was loaded; undefined where it is shown without colours. Nothing of it is ever HTML. */
export function highlight(code: string, language: string): CodePart[] | undefined {
  if (code.length > MAX_LENGTH) return undefined
  const parts: CodePart[] = []
  core.configure({ __emitter: partsEmitter(parts) })
  core.highlight(code, { language: nameOf(language), ignoreIllegals: true })
  return firstParts(parts)
}

const nameOf = (language: string): string => OTHER_NAMES[language] ?? language

/** The emitter that the highlighter writes into, in place of its own, which makes HTML. */
function partsEmitter(parts: CodePart[]) {
  return class {
    #scopes: string[] = []
    options: object = {}

    addText(text: string) {
      const last = parts.at(-1)
      const scope = this.#scopes.at(-1)
      if (last && last.scope === scope) last.text += text
      else if (text !== '') parts.push({ scope, text })
    }

    startScope(scope: string) {
      this.#scopes.push(scope)
    }

    endScope() {
      this.#scopes.pop()
    }

    openNode(scope: string) {
      this.startScope(scope)
    }

    closeNode() {
      this.endScope()
    }

    __addSublanguage() {}

    finalize() {}

    toHTML() {
      return ''
    }
  }
}
