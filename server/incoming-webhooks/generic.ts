import { cut, escaped, line } from './markdown.ts'
import { at, entriesAt, type Payload, type Rendered, textAt } from './payload.ts'

const MAX_PLACES = 100
const MAX_FIELDS = 20
const VALUE_LENGTH = 2000
const PLACE = /\{\{\s*([\w$@-]+(?:\.[\w$@-]+)*)\s*\}\}/g

/** JSON of whatever kind: through the template of the address, or as a list of its fields. */
export function renderGeneric({ body }: Payload, template: string | undefined): Rendered {
  return { text: template === undefined ? fields(body) : filled(template, body), event: '' }
}

/** Replaces each `{{path.to.field}}` by the text, number or list found there. Templates have no other syntax. */
function filled(template: string, body: unknown): string {
  let places = 0
  return template.replace(PLACE, (all, path: string) => {
    places += 1
    return places > MAX_PLACES ? all : valueAt(body, path)
  })
}

function valueAt(body: unknown, path: string): string {
  const found = at(body, path)
  if (!Array.isArray(found)) return escaped(cut(textAt(body, path), VALUE_LENGTH))
  return found
    .slice(0, MAX_FIELDS)
    .map((item) => escaped(cut(textAt({ item }, 'item'), VALUE_LENGTH)))
    .filter((text) => text !== '')
    .join(', ')
}

const fields = (body: unknown): string =>
  entriesAt({ body }, 'body')
    .slice(0, MAX_FIELDS)
    .map(([name, value]) => `**${line(name, 60)}:** ${line(value, 500)}`)
    .join('\n')
