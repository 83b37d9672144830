import { expect } from 'vitest'
import { type Answer, call, type RequestOptions } from './client.ts'
import type { TestPerson } from './people.ts'

/** An identity provider with the token of one organization. */
export type TestProvider = {
  token: string
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, operations: readonly unknown[], options?: RequestOptions): Promise<Answer>
  delete(path: string, options?: RequestOptions): Promise<Answer>
}

export function providerWith(url: string, token: string): TestProvider {
  const ask = (method: string, path: string, options: RequestOptions = {}) =>
    call(url, { token }, method, `/scim/v2${path}`, {
      ...options,
      headers: { 'content-type': 'application/scim+json', ...options.headers },
    })
  return {
    token,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    put: (path, body, options) => ask('PUT', path, { ...options, body }),
    patch: (path, operations, options) =>
      ask('PATCH', path, {
        ...options,
        body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: operations },
      }),
    delete: (path, options) => ask('DELETE', path, options),
  }
}

/** A provider with a new token of the owner's organization. */
export async function newProvider(owner: TestPerson, overlapHours = 0): Promise<TestProvider> {
  const made = await owner.post(`/people/organizations/${owner.orgId}/scim/tokens`, { overlapHours })
  expect(made.status, made.text).toBe(201)
  return providerWith(owner.url, Object(made.body).token)
}

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'

let people = 0
/** A new person, as a provider sends one. */
export const newUser = (rest: Record<string, unknown> = {}) => {
  const userName = `person.${++people}@example.com`
  return {
    schemas: [USER],
    userName,
    name: { givenName: 'Person', familyName: `Number${people}` },
    emails: [{ primary: true, value: userName, type: 'work' }],
    active: true,
    ...rest,
  }
}

export async function created(provider: TestProvider, rest: Record<string, unknown> = {}) {
  const answer = await provider.post('/Users', newUser(rest))
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body)
}

export const foundIn = ({ status, text, body }: Answer): Record<string, unknown>[] => {
  expect(status, text).toBe(200)
  return Object(body).Resources
}

/** A refusal in SCIM's form, without its schema. */
export function refused({ status, headers, body }: Answer) {
  const { schemas, ...rest } = Object(body)
  expect(schemas).toEqual(['urn:ietf:params:scim:api:messages:2.0:Error'])
  expect(headers.get('content-type')).toBe('application/scim+json')
  expect(rest.status).toBe(String(status))
  return { status, scimType: rest.scimType, detail: rest.detail }
}
