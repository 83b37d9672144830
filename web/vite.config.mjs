import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WEB = dirname(fileURLToPath(import.meta.url))
const PUBLIC = join(WEB, 'public')

const SPOKEN = JSON.parse(readFileSync(join(WEB, '../contract/languages.json'), 'utf8'))
/** The languages that pages are built in. */
export const LANGUAGES = Object.keys(SPOKEN)
/** Functions that are given a value for each language; a page keeps that of its own. */
const BY_LANGUAGE = ['texts', 'byLanguage']

/** Entry modules that a browser needs before it shows anything, a message, or a page of the docs. */
const STARTS = {
  any: 'src/main.tsx',
  chat: 'src/chat/views/frame/chat-app.tsx',
  docs: 'src/views/docs/docs.tsx',
}

/** Settings for the pages of one language: of the build (bin/build-pages.mjs) and of the server for developers. */
export function pageSettings(language) {
  return {
    root: WEB,
    plugins: [keepLanguage(language), importIconsAlone()],
    worker: { format: 'es' }, // the worker that highlights code loads languages one by one
    build: {
      target: 'es2022',
      // The first versions that know `light-dark()`: every colour in the tokens is written with it.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000, // names of all emoji, loaded when somebody looks for one
      rolldownOptions: {
        onLog: (level, log, print) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log) // "use client" of a dependency, and harmless
        },
        output: {
          codeSplitting: { groups: startFiles() },
          // Chunks of several views are named by content alone, and by few letters of it: the first scripts list all these names.
          chunkFileNames: ({ name, isDynamicEntry }) =>
            isDynamicEntry || name in STARTS || name === 'start'
              ? 'assets/[name]-[hash:7].js'
              : 'assets/[hash:7].js',
          assetFileNames: 'assets/[name]-[hash:6][extname]',
        },
      },
    },
  }
}

/** Addresses of the running Parley that are pages: the list of server/routes/web.ts. */
const PAGES =
  /^\/($|setup|join|invite|reset|sign-in|account|console|docs|o\/|t\/|m\/|oauth\/assistants\/authorize)/
const MODULES = /^\/(@|src\/|node_modules\/)/

/** Returns the path that the developers' server answers itself, undefined if the running Parley answers, false if nobody does. */
function ownPath({ url, method, headers: { accept = '' } }) {
  const { pathname } = new URL(url, 'http://localhost')
  if (pathname === '/service-worker.js') return false // would keep files of a build
  if (MODULES.test(pathname) || (pathname !== '/' && existsSync(join(PUBLIC, pathname)))) return url
  return method === 'GET' && accept.includes('text/html') && PAGES.test(pathname) ? url : undefined
}

/** `npm run dev`: pages from their sources, and everything else from a running Parley, which sees its own origin. */
export default () => {
  const target = process.env.PARLEY_URL ?? 'http://127.0.0.1:8080'
  return {
    ...pageSettings(process.env.PAGE_LANGUAGE ?? LANGUAGES[0]),
    server: {
      fs: { allow: [dirname(WEB)] }, // types and values of contract/
      proxy: {
        '^/': {
          target,
          changeOrigin: true,
          bypass: ownPath,
          configure: (proxy) => {
            // Requests of pages of this server alone: those of foreign pages stay foreign.
            proxy.on('proxyReq', (request, { headers: { origin, host } }) => {
              if (origin === `http://${host}`) request.setHeader('origin', new URL(target).origin)
            })
          },
        },
      },
    },
  }
}

/** Leaves the texts of other languages out, and says in the page which one it is in. */
function keepLanguage(language) {
  return {
    name: 'keep-language',
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: new RegExp(`\\b(${BY_LANGUAGE.join('|')})\\(\\{`) },
      handler(code, id) {
        const others = []
        visit(this.parse(code), (node) => {
          if (node.type !== 'CallExpression' || !BY_LANGUAGE.includes(node.callee.name)) return
          const { properties } = node.arguments[0]
          const kept = properties.find(({ key }) => key.name === language)
          if (!kept) this.error(`${id} has no texts for "${language}"`)
          others.push([properties[0].start, kept.start], [kept.end, properties.at(-1).end])
        })
        return { code: without(code, others), map: null }
      },
    },
    transformIndexHtml: (html) =>
      html.replace('<html lang="en">', `<html lang="${language}" dir="${SPOKEN[language].direction}">`),
  }
}

/**
 * Lets modules import icons from their own files. Through the list of all icons, which imports them all, the first script would carry
 * the icons of every view.
 */
function importIconsAlone() {
  const list = createRequire(import.meta.url)
    .resolve('lucide-react')
    .replace('/cjs/lucide-react.js', '/esm/lucide-react.mjs')
  let fileOf
  return {
    name: 'import-icons-alone',
    apply: 'build', // the server for developers loads the list once
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: /["']lucide-react["']/ },
      handler(code) {
        fileOf ??= new Map(
          [
            ...readFileSync(list, 'utf8').matchAll(/export \{([^}]*)\} from '\.\/icons\/([^']+)\.mjs'/g),
          ].flatMap(([, names, file]) =>
            [...names.matchAll(/default as (\w+)/g)].map(([, name]) => [name, file]),
          ),
        )
        const alone = code.replace(/import \{([^}]*)\} from ["']lucide-react["']/g, (_, names) =>
          names
            .split(',')
            .map((name) => {
              const [icon, local = icon] = name.trim().split(/ as /)
              if (!fileOf.has(icon)) this.error(`there is no icon "${icon}"`)
              return `import ${local} from 'lucide-react/icons/${fileOf.get(icon)}'`
            })
            .join('; '),
        )
        return { code: alone, map: null }
      },
    },
  }
}

function visit(node, look) {
  if (Array.isArray(node)) for (const one of node) visit(one, look)
  if (typeof node?.type !== 'string') return
  look(node)
  for (const child of Object.values(node)) if (child !== null && typeof child === 'object') visit(child, look)
}

function without(code, ranges) {
  const ordered = ranges.toSorted(([one], [other]) => one - other)
  let end = 0
  let kept = ''
  for (const [from, to] of ordered) {
    kept += code.slice(end, from)
    end = to
  }
  return kept + code.slice(end)
}

/**
 * Puts what is needed at once, with all that it imports, into one file, and what the chat needs besides into another: together it
 * compresses better (147 KB before the first message, not 159 KB in 34 files). Modules that the chat and the docs both need, such
 * as Markdown, are in the first: the docs do not load the chat then, and a third file would make the chat 1 KB larger.
 */
function startFiles() {
  let members
  const find = (context) => {
    const [any, chat, docs] = Object.values(STARTS).map((path) => importedBy(join(WEB, path), context))
    return { start: new Set([...any, ...[...chat].filter((id) => docs.has(id))]), chat }
  }
  return ['start', 'chat'].map((name, index, { length }) => ({
    name: (moduleId, context) => {
      members ??= find(context)
      return members[name].has(moduleId) ? name : null
    },
    debugName: name,
    priority: length - index,
  }))
}

function importedBy(id, context, members = new Set()) {
  if (members.has(id)) return members
  members.add(id)
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) importedBy(imported, context, members)
  return members
}
