import type { Operation } from '../contract/operation.ts'
import { CALLS, ERROR_CODES, EVENT_DATA, NAMED, nameOf, type Schema } from './schemas.ts'

/* Writes `python/parley/api.py` from the contract: a TypedDict for everything that travels, a method for each operation. */

const HEAD = `# Generated from the contract by \`npm run sdk\`. Do not edit.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Literal, NamedTuple, Sequence, Tuple, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

    from .files import FileInput


class Omitted:
    """Stands for an argument that was not given, where None has a meaning of its own."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED = Omitted()


class Route(NamedTuple):
    method: str
    path: str
    query: Tuple[str, ...] = ()
    #: Fields of the JSON body.
    body: Tuple[str, ...] = ()
    #: Fields of the JSON that goes with files.
    form: Tuple[str, ...] = ()
    #: Fields in which None is sent as null.
    nulls: Tuple[str, ...] = ()
`

/** Another name of `topicId`, unused by the methods. */
const ALIASES = ['channelID']
/** Words of Python that no argument and no field of a class can have as its name. */
const KEYWORDS = ['from', 'class', 'import', 'global', 'pass', 'in', 'is', 'as', 'not', 'and', 'or', 'def']

export function generatePython(): string {
  const types = new TypedDicts()
  for (const [name, schema] of Object.entries(NAMED)) types.add(name, schema)
  const methods = CALLS.map((operation) => methodOf(operation, types)).join('\n')
  const awaiting = methods
    .replaceAll(/^ {4}def /gm, '    async def ')
    .replaceAll('return self._call(', 'return await self._call(')
  const events = EVENT_DATA.map(([type]) => `    "${type}",\n`)
  const routes = CALLS.map((operation) => `    "${operation.id}": ${routeOf(operation)},\n`)
  return `${HEAD}

${types.definitions.join('\n\n')}

#: Codes of refusals, as \`ParleyError.code\` has them.
ErrorCode = Literal[
${ERROR_CODES.map((code) => `    "${code}",\n`).join('')}]

#: What \`bot.on\` takes: \`message\`, \`action\` and \`command\`, and the events of the API by their own names.
EventName = Literal[
    "message",
    "action",
    "command",
${events.join('')}]


class Operations:
    """A method for each operation, which waits for the answer."""

    def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

${methods}

class AsyncOperations:
    """The same methods for asyncio."""

    async def _call(self, operation: str, values: Dict[str, Any], **options: Any) -> Any:
        raise NotImplementedError

${awaiting}

ROUTES: Dict[str, Route] = {
${routes.join('')}}
`
}

type Argument = { name: string; schema: Schema; isRequired: boolean }

const argumentsIn = (schema: Schema | undefined, isBody = true): Argument[] =>
  Object.entries(schema?.properties ?? {})
    .filter(([name]) => !ALIASES.includes(name))
    .map(([name, property]) => ({
      name,
      schema: property,
      isRequired: isBody && (schema?.required ?? []).includes(name),
    }))

const takesNull = (schema: Schema): boolean =>
  schema.type === 'null' || (schema.anyOf ?? []).some(takesNull) || writtenOut(schema) === 'Any'

/** Arguments that a method takes by name: query and body, and those that only a form has. */
function namedArguments({ id, query, body, form }: Operation): Argument[] {
  const own = [...argumentsIn(query), ...argumentsIn(body)]
  const ofForm = argumentsIn(form?.meta, false).filter(
    ({ name }) => !own.some((other) => other.name === name),
  )
  const all = [...own, ...ofForm]
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error(`${id} takes a name twice`)
  return all.sort((one, other) => Number(other.isRequired) - Number(one.isRequired))
}

function methodOf(operation: Operation, types: TypedDicts): string {
  const { id, method, summary, params, form, success } = operation
  const inPath = argumentsIn(params)
  const named = namedArguments(operation)
  const option = (name: string, type: string, text: string) => ({ name, type, text })
  const options = [
    ...(form?.files.maximum === 1 ? [option('file', 'FileInput | None', form.description)] : []),
    ...(form && form.files.maximum > 1
      ? [option('files', 'Sequence[FileInput] | None', form.description)]
      : []),
    ...(method === 'POST'
      ? [
          option(
            'idempotency_key',
            'str | None',
            'Repeating the call with the same key gives the first answer again',
          ),
        ]
      : []),
  ]
  const typed = ({ name, schema, isRequired }: Argument) => {
    const type = types.typeOf(schema, pascal(id) + pascal(name))
    if (isRequired) return `${snake(name)}: ${type}`
    return takesNull(schema)
      ? `${snake(name)}: ${type} | Omitted = OMITTED`
      : `${snake(name)}: ${type} | None = None`
  }
  const byName = [...named.map(typed), ...options.map(({ name, type }) => `${name}: ${type} = None`)]
  const taken = ['self', ...inPath.map(typed), ...(byName.length > 0 ? ['*', ...byName] : [])]
  const about = [
    ...[...inPath, ...named].map(({ name, schema }) => [snake(name), schema.description]),
    ...options.map(({ name, text }) => [name, text]),
  ].filter(([, text]) => text !== undefined)
  const lines = about.map(([name, text]) => `        ${name}: ${documented(text ?? '')}\n`)
  const docstring = lines.length === 0 ? `"""${summary}"""` : `"""${summary}\n\n${lines.join('')}        """`
  const values = [...inPath, ...named].map(({ name }) => `"${name}": ${snake(name)}`)
  const passed = options.map(({ name }) =>
    name === 'file' ? 'files=None if file is None else [file]' : `${name}=${name}`,
  )
  return `    def ${snake(id)}(${taken.join(', ')}) -> ${answerOf(id, success, types)}:
        ${docstring}
        return self._call(${[`"${id}"`, `{${values.join(', ')}}`, ...passed].join(', ')})
`
}

function answerOf(id: string, success: Operation['success'], types: TypedDicts): string {
  const answers = Object.values(success).map(({ schema }) =>
    schema ? types.typeOf(schema, `${pascal(id)}Answer`) : 'None',
  )
  return [...new Set(answers)].join(' | ')
}

function routeOf(operation: Operation): string {
  const { method, path, query, body, form } = operation
  const namesIn = (schema: Schema | undefined) => argumentsIn(schema).map(({ name }) => name)
  const nulls = namedArguments(operation).filter(({ schema }) => takesNull(schema))
  const fields: [string, string[]][] = [
    ['query', namesIn(query)],
    ['body', namesIn(body)],
    ['form', namesIn(form?.meta)],
    ['nulls', nulls.map(({ name }) => name)],
  ]
  const given = fields.filter(([, names]) => names.length > 0)
  const listed = given.map(([field, names]) => `, ${field}=(${names.map((name) => `"${name}",`).join(' ')})`)
  return `Route("${method}", "${path}"${listed.join('')})`
}

/** Python has no type without a name: a type that the contract leaves unnamed is called by its place. */
class TypedDicts {
  readonly definitions: string[] = []
  readonly #written = new Map<string, string>()

  add(name: string, schema: Schema): void {
    if (schema.oneOf) {
      this.#addUnion(name, schema.oneOf)
      return
    }
    const { properties = {}, required = [] } = schema
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = this.typeOf(property, name + pascal(field))
      return { field, property, type: required.includes(field) ? type : `NotRequired[${type}]` }
    })
    if (fields.some(({ field }) => KEYWORDS.includes(field))) throw new Error(`${name} has a word of Python`)
    const lines = fields.map(({ field, property, type }) => {
      const comment = property.description ? `    # ${property.description.replaceAll(/\s+/g, ' ')}\n` : ''
      return `${comment}    ${field}: ${type}\n`
    })
    this.definitions.push(`class ${name}(TypedDict):\n${lines.join('')}`)
  }

  /** A class for each option, called by the constant that tells it from the others. */
  #addUnion(name: string, options: readonly Schema[]): void {
    const names = options.map((option) => {
      const { const: text } =
        Object.values(option.properties ?? {}).find((one) => one.const !== undefined) ?? {}
      const own = name + String(text).split(/[._]/).map(pascal).join('')
      this.add(own, option)
      return own
    })
    this.definitions.push(`${name} = Union[\n${names.map((own) => `    ${own},\n`).join('')}]\n`)
  }

  typeOf(schema: Schema, name: string): string {
    const known = nameOf(schema)
    if (known !== undefined) return known
    if (schema.anyOf) return schema.anyOf.map((option) => this.typeOf(option, name)).join(' | ')
    if (schema.type === 'array') return `List[${this.typeOf(schema.items ?? {}, singular(name))}]`
    if (schema.type !== 'object') return writtenOut(schema)
    if (!schema.properties) {
      const [values = {}] = Object.values(schema.patternProperties ?? {})
      return `Dict[str, ${this.typeOf(values, name)}]`
    }
    const key = JSON.stringify(schema)
    const written = this.#written.get(key) ?? name
    if (!this.#written.has(key)) {
      if ([...this.#written.values(), ...Object.keys(NAMED)].includes(name))
        throw new Error(`two types ${name}`)
      this.#written.set(key, name)
      this.add(name, schema)
    }
    return written
  }
}

function writtenOut(schema: Schema): string {
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
  const types: Record<string, string> = {
    string: 'str',
    boolean: 'bool',
    null: 'None',
    integer: 'int',
    number: 'float',
  }
  return types[schema.type ?? ''] ?? (schema.anyOf || schema.type ? '' : 'Any')
}

/** Python writes its truths with capitals. */
const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

const pascal = (name: string): string => name.slice(0, 1).toUpperCase() + name.slice(1)
const singular = (name: string): string => name.replace(/s$/, '')
const documented = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll(/\s+/g, ' ')

function snake(name: string): string {
  const word = name.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
  return KEYWORDS.includes(word) ? `${word}_` : word
}
