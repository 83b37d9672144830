import { createHash } from 'node:crypto'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { LANGUAGES, pageSettings } from '../web/vite.config.mjs'

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
export async function buildPages(folder) {
  const { build } = await import('vite')
  // Vite would build React for its developers where the environment is that of a test.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  const modules = new Set()
  const builds = {}
  try {
    for (const language of LANGUAGES) {
      const { output } = await build(settings(folder, language))
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

function settings(outDir, language) {
  const { build, ...rest } = pageSettings(language)
  return {
    ...rest,
    configFile: false,
    logLevel: 'warn',
    build: { ...build, outDir, emptyOutDir: language === LANGUAGES[0] },
  }
}

/** Words of the page for browsers without scripts. */
const WITHOUT_SCRIPTS = {
  en: 'Parley needs JavaScript. <a href="/docs/plain">The documentation</a> does not.',
  de: 'Parley braucht JavaScript, <a href="/docs/plain">die Dokumentation</a> nicht.',
  fr: 'Parley a besoin de JavaScript, <a href="/docs/plain">la documentation</a> non.',
  es: 'Parley necesita JavaScript, <a href="/docs/plain">la documentación</a> no.',
}

/** Says in the page of which build it is: by that the service worker knows its files, and which builds are still looked at. */
async function nameBuild(folder, language, name) {
  if (!WITHOUT_SCRIPTS[language]) throw new Error(`WITHOUT_SCRIPTS lacks "${language}"`)
  const page = await readFile(join(folder, 'index.html'), 'utf8')
  await writeFile(
    join(folder, 'index.html'),
    page
      .replace('</head>', `  <meta name="parley-build" content="${name}" />\n  </head>`)
      .replace(/(?<=<noscript>).*(?=<\/noscript>)/, WITHOUT_SCRIPTS[language]),
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

async function compressFile(path) {
  const quality = FIRST.test(basename(path)) ? QUALITY.first : QUALITY.other
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }))
}
