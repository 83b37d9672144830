import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/** The languages of web/src/texts/texts.ts. */
const LANGUAGES = ['en', 'de']
/** Functions that are given a value for each language; a page keeps that of its own. */
const BY_LANGUAGE = ['texts', 'byLanguage']

/** Entry modules that a browser needs before it shows anything, a message, or a page of the docs. */
const STARTS = {
  any: 'src/main.tsx',
  chat: 'src/chat/views/frame/chat-app.tsx',
  docs: 'src/views/docs/docs.tsx',
}

const COMPRESSED = ['.html', '.js', '.css', '.svg', '.webmanifest']
/** Files needed before the first message are compressed as far as possible: 0.7 s a file; the rest, at 9, is 8 % larger. */
const FIRST = /^(start|chat|worker)-/
const QUALITY = { first: constants.BROTLI_MAX_QUALITY, other: 9 }

const SERVICE_WORKER = 'service-worker.js'
/**
 * Modules that load on demand and that the service worker keeps: those of the chat, not other views, and not what is large and
 * seldom asked for, such as the names of all emoji and the words of programming languages.
 */
const KEPT = /\/web\/src\/(?!views\/|api\/queries)/
/** Most texts need no other letters; the rest of the font stays where browsers keep what does not change. */
const KEPT_FONT = /inter-latin-wght/

/**
 * The pages for browsers, `index.en.html` and its like, one for each language with its texts alone, and `chat.en.html`, which
 * loads the chat at once. Files are named after their content, and compressed once and for all. Gives the modules that are in them.
 */
export async function buildPages(root, folder) {
  const { build } = await import('vite')
  // Vite would build React for its developers where the environment is that of a test.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  const modules = new Set()
  const builds = {}
  try {
    for (const language of LANGUAGES) {
      const { output } = await build(settings(root, folder, language))
      const name = createHash('sha256')
        .update(output.map(({ fileName }) => fileName).join())
        .digest('hex')
        .slice(0, 12)
      builds[name] = { language, files: keptFiles(output) }
      await nameBuild(folder, language, name)
      await writeChatPage(folder, language, output)
      for (const { moduleIds = [] } of output) for (const id of moduleIds) modules.add(id)
    }
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
  const worker = join(folder, SERVICE_WORKER)
  await writeFile(worker, `const BUILDS = ${JSON.stringify(builds)}\n${await readFile(worker, 'utf8')}`)
  const names = await readdir(folder, { recursive: true })
  await Promise.all(
    names
      .filter((name) => COMPRESSED.includes(extname(name)))
      .map((name) => compressFile(join(folder, name))),
  )
  return [...modules]
}

/** Says in the page of which build it is: by that the service worker knows its files, and which builds are still looked at. */
async function nameBuild(folder, language, name) {
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  await writeFile(
    join(folder, 'index.html'),
    page.replace('</head>', `  <meta name="parley-build" content="${name}" />\n  </head>`),
  )
  await rename(join(folder, 'index.html'), join(folder, `index.${language}.html`))
}

/** The files with which the chat works where there is no network. */
function keptFiles(output) {
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const kept = new Set(
    output.flatMap(({ type, fileName }) =>
      type === 'asset' && (KEPT_FONT.test(fileName) || /\/worker-[^/]+\.js$/.test(fileName))
        ? [fileName]
        : [],
    ),
  )
  const add = (fileName) => {
    const chunk = chunks.get(fileName)
    if (!chunk || kept.has(fileName)) return
    kept.add(fileName)
    for (const style of chunk.viteMetadata?.importedCss ?? []) kept.add(style)
    for (const imported of chunk.imports) add(imported)
    for (const later of chunk.dynamicImports)
      if (KEPT.test(chunks.get(later)?.facadeModuleId ?? '')) add(later)
  }
  for (const { fileName, name } of chunks.values()) if (name === 'start' || name === 'chat') add(fileName)
  return [...kept].sort()
}

/** Writes the page for the chat's addresses: it preloads the chat's chunk instead of waiting for the first script. */
async function writeChatPage(folder, language, output) {
  const chat = output.find(({ type, name }) => type === 'chunk' && name === 'chat')
  if (!chat) throw new Error('the build has no file for the chat')
  const links = [
    // Preloads the session exactly as the page requests it, so that the answer is there when the scripts have run.
    '<link rel="preload" as="fetch" crossorigin href="/people/session">',
    `<link rel="modulepreload" crossorigin href="/${chat.fileName}">`,
    ...[...chat.viteMetadata.importedCss].map(
      (file) => `<link rel="preload" as="style" crossorigin href="/${file}">`,
    ),
  ]
  const page = await readFile(join(folder, `index.${language}.html`), 'utf8')
  await writeFile(
    join(folder, `chat.${language}.html`),
    page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`),
  )
}

function settings(root, outDir, language) {
  return {
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [keepLanguage(language), importIconsAlone()],
    worker: { format: 'es' }, // the worker that highlights code loads languages one by one
    build: {
      outDir,
      emptyOutDir: language === LANGUAGES[0],
      target: 'es2022',
      // The first browsers with `light-dark()`, which every colour token uses.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000, // names of all emoji, loaded on demand
      rolldownOptions: {
        onLog: (level, log, print) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log) // "use client" of a dependency, and harmless
        },
        output: {
          codeSplitting: { groups: startFiles(root) },
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
    transformIndexHtml: (html) => html.replace('<html lang="en">', `<html lang="${language}">`),
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
    transform: {
      filter: { id: /\/web\/src\/.*\.tsx?$/, code: /["']lucide-react["']/ },
      async handler(code) {
        fileOf ??= new Map(
          [
            ...(await readFile(list, 'utf8')).matchAll(/export \{([^}]*)\} from '\.\/icons\/([^']+)\.mjs'/g),
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
function startFiles(root) {
  let members
  const find = (context) => {
    const [any, chat, docs] = Object.values(STARTS).map((path) => importedBy(join(root, path), context))
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

async function compressFile(path) {
  const quality = FIRST.test(basename(path)) ? QUALITY.first : QUALITY.other
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }))
}
