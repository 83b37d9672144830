import type { Answer } from './client.ts'
import type { TestPerson, VisitOptions } from './people.ts'

/** A person's chat: `chatOf(ada).post('messages', { topicId, text })`. */
export function chatOf(who: TestPerson) {
  const at = (path: string) => `/people/organizations/${who.orgId}/chat/${path}`
  return {
    get: (path: string, options?: VisitOptions) => who.get(at(path), options),
    post: (path: string, body?: unknown, options?: VisitOptions) => who.post(at(path), body, options),
    patch: (path: string, body?: unknown, options?: VisitOptions) => who.patch(at(path), body, options),
    delete: (path: string, body?: unknown, options?: VisitOptions) => who.delete(at(path), body, options),
  }
}

export const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })
export const refusal = ({ status, body, headers }: Answer) => ({
  status,
  body,
  code: headers.get('x-error-code'),
})
