import { Fold } from '../../kit/fold.tsx'
import { docs } from '../../texts/docs.ts'
import { useTexts } from '../../texts/texts.ts'
import { Description } from './description.tsx'
import type { Schema } from './operations.ts'
import styles from './schema-tree.module.css'

type Field = { name: string; isRequired: boolean; schema: Schema }
type Words = ReturnType<typeof useTexts<typeof docs.en>>

const UUID = /^\^\[0-9a-fA-F\]\{8\}/
const PROFILE_ID = /^\^\(b@\)\?\[0-9a-fA-F\]\{8\}/
/** Bounds beyond these are those of the kind of number, and say nothing. */
const TELLING = 1_000_000_000_000

/** The fields of what travels; what has none says its type. */
export function FieldTree({ schema }: { schema: Schema }) {
  const t = useTexts(docs)
  const fields = fieldsOf(schema)
  if (fields.length > 0) return <Fields fields={fields} />
  return <p className={styles.type}>{typeOf(schema, t)}</p>
}

export function Fields({ fields, depth = 0 }: { fields: readonly Field[]; depth?: number }) {
  return (
    <ul className={styles.fields}>
      {fields.map((field) => (
        <FieldView key={field.name} field={field} depth={depth} />
      ))}
    </ul>
  )
}

function FieldView({ field: { name, isRequired, schema }, depth }: { field: Field; depth: number }) {
  const t = useTexts(docs)
  const inner = fieldsOf(schema)
  const limits = limitsOf(schema, t)
  const options = schema.enum ?? schema.items?.enum
  return (
    <li className={styles.field}>
      <p className={styles.line}>
        <code className={styles.name}>{name}</code>
        <span className={styles.type}>{typeOf(schema, t)}</span>
        {isRequired && <span className={styles.required}>{t.required}</span>}
      </p>
      {schema.description !== undefined && <Description text={schema.description} />}
      {options !== undefined && (
        <p className={styles.limits}>
          {t.limits.oneOf}{' '}
          {options.map((option) => (
            <code key={String(option)}>{String(option)}</code>
          ))}
        </p>
      )}
      {limits.length > 0 && <p className={styles.limits}>{limits.join(' · ')}</p>}
      {inner.length > 0 && (
        <div className={styles.inner}>
          <Fold summary={t.fields(inner.length)} isOpen={depth === 0 && inner.length <= 6}>
            <Fields fields={inner} depth={depth + 1} />
          </Fold>
        </div>
      )}
    </li>
  )
}

/** Fields of the schema itself, of its list items and of its alternatives. */
function fieldsOf(schema: Schema): Field[] {
  const { properties = {}, required = [], items, anyOf = [], allOf = [] } = schema
  const own = Object.entries(properties).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    schema: property,
  }))
  const [values] = Object.values(schema.patternProperties ?? {})
  const others = [...(items ? [items] : []), ...(values ? [values] : []), ...anyOf, ...allOf].flatMap(
    fieldsOf,
  )
  const seen = new Set<string>()
  return [...own, ...others].filter(({ name }) => !seen.has(name) && seen.add(name))
}

function typeOf(schema: Schema, t: Words): string {
  const { types } = t
  const { type, items, anyOf, pattern = '', const: only } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return [...new Set(anyOf.map((option) => typeOf(option, t)))].join(types.or)
  if (type === 'array') return types.listOf(typeOf(items ?? {}, t))
  if (schema.contentMediaType !== undefined) return types.file
  if (schema.enum) return types.string
  if (PROFILE_ID.test(pattern)) return types.profile
  if (UUID.test(pattern)) return types.uuid
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
    case 'object':
    case 'null':
      return types[type]
    default:
      return schema.allOf || schema.properties ? types.object : types.any
  }
}

function limitsOf(schema: Schema, { limits }: Words): string[] {
  const { minLength = 0, maxLength, minimum, maximum, maxItems, default: fallback } = schema
  const isBounded = maximum !== undefined && maximum < TELLING
  return [
    ...(maxLength === undefined
      ? []
      : [minLength > 0 ? limits.characters(minLength, maxLength) : limits.atMostCharacters(maxLength)]),
    ...(minimum !== undefined && isBounded ? [limits.range(minimum, maximum)] : []),
    ...(minimum !== undefined && minimum > 0 && !isBounded ? [limits.atLeast(minimum)] : []),
    ...(maxItems === undefined ? [] : [limits.items(maxItems)]),
    ...(fallback === undefined ? [] : [limits.byDefault(String(fallback))]),
  ]
}
