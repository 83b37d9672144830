import { Type } from 'typebox'
import { Page, PageQuery, Timestamp } from './common.ts'
import { LIMITS } from './limits.ts'
import { operation } from './operation.ts'

const KEY = `[A-Za-z0-9][A-Za-z0-9._:@-]`
const KeyParams = Type.Object({
  key: Type.String({
    pattern: `^${KEY}{0,${LIMITS.storageKey - 1}}$`,
    description: `1 to ${LIMITS.storageKey} letters, digits and \`. _ : @ -\`; the first is a letter or a digit`,
    examples: ['settings'],
  }),
})

const Version = Type.Integer({
  minimum: 1,
  description: 'Grows with each change; no two values of a bot ever had the same one',
  examples: [7],
})
const WantedVersion = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

export const StorageEntry = Type.Object({
  key: Type.String(),
  version: Version,
  bytes: Type.Integer({ description: 'The size of the value, as JSON in UTF-8' }),
  updatedAt: Timestamp('When it was written last'),
})
export const StoredValue = Type.Object({
  ...StorageEntry.properties,
  value: Type.Unknown({ description: 'Any JSON' }),
})

const value = { city: 'Lisbon', units: 'metric' }
const example = { key: 'settings', version: 7, bytes: 36, updatedAt: 1767225600000 }

export const listStorage = operation({
  id: 'listStorage',
  method: 'GET',
  path: '/v2/storage',
  tag: 'Storage',
  summary: 'List the keys of the bot',
  description: 'Sorted by their characters, without the values.',
  scope: 'storage:read',
  query: Type.Object({
    ...PageQuery,
    prefix: Type.Optional(
      Type.String({
        pattern: `^(${KEY}{0,${LIMITS.storageKey - 1}})?$`,
        description: 'Only keys that begin with this',
      }),
    ),
  }),
  success: {
    200: {
      description: 'A page of keys',
      schema: Page('entries', StorageEntry),
      example: { entries: [example], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const readStorage = operation({
  id: 'readStorage',
  method: 'GET',
  path: '/v2/storage/{key}',
  tag: 'Storage',
  summary: 'Read a value',
  scope: 'storage:read',
  params: KeyParams,
  success: {
    200: { description: 'The value with its version', schema: StoredValue, example: { ...example, value } },
  },
  refusals: ['storage_key_not_found'],
})

export const writeStorage = operation({
  id: 'writeStorage',
  method: 'PUT',
  path: '/v2/storage/{key}',
  tag: 'Storage',
  summary: 'Write a value',
  description:
    '`version` makes the write conditional: it succeeds only if that is the current version, so that of two concurrent changes one is refused. 0: only if the key is new.',
  scope: 'storage:write',
  params: KeyParams,
  body: Type.Object({
    value: Type.Unknown({ description: `Any JSON, up to ${LIMITS.storageValueBytes} bytes` }),
    version: Type.Optional(WantedVersion('The version that it must have now; 0: it must not be there')),
  }),
  bodyExample: { value, version: 6 },
  success: {
    200: { description: 'Written over what was there', schema: StorageEntry, example },
    201: {
      description: 'Written under a new key',
      schema: StorageEntry,
      example: { ...example, version: 8 },
    },
  },
  refusals: [
    'storage_value_too_large',
    'storage_value_too_deep',
    'storage_value_inexact',
    'storage_keys_full',
    'storage_full',
    'storage_version_conflict',
  ],
})

export const deleteStorage = operation({
  id: 'deleteStorage',
  method: 'DELETE',
  path: '/v2/storage/{key}',
  tag: 'Storage',
  summary: 'Delete a value',
  scope: 'storage:write',
  params: KeyParams,
  query: Type.Object({ version: Type.Optional(WantedVersion('The version that it must have now')) }),
  success: { 204: { description: 'Deleted' } },
  refusals: ['storage_key_not_found', 'storage_version_conflict'],
})
