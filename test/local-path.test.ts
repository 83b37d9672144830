import { expect, test } from 'vitest'
import { localPath } from '../contract/people/local-path.ts'

const ORIGIN = 'https://parley.example.com'

test.each([
  null,
  '',
  'account',
  '//evil.com',
  '///evil.com',
  '/\\evil.com',
  '/\t/evil.com',
  '/.//evil.com',
  '/a/..//evil.com',
  '/%2e//evil.com',
  '/%2E%2e//evil.com',
  '/./\\evil.com',
  'https://evil.com',
  'https:evil.com',
  'javascript:alert(1)',
  '//',
])('%j leads elsewhere', (to) => {
  expect(localPath(to, ORIGIN)).toBeUndefined()
})

test.each([
  ['/', '/'],
  ['/account', '/account'],
  ['/console/1/bots/b%402/deliveries?delivery=3', '/console/1/bots/b%402/deliveries?delivery=3'],
  ['/outbox?to=//evil.com', '/outbox?to=//evil.com'],
  ['/a//b', '/a//b'],
  ['/a/../account#part', '/account#part'],
])('%j stays here', (to, path) => {
  expect(localPath(to, ORIGIN)).toBe(path)
  expect(new URL(path, ORIGIN).origin).toBe(ORIGIN)
})
