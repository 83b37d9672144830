import { expect, it } from 'vitest'
import { readConfig } from '../server/config.ts'
import { hostsOf, withFirstHost } from '../server/db/hosts.ts'

it('takes the hosts of a database from its address, whatever the password looks like', () => {
  const url = 'postgres://parley:a,b:c@10.0.0.8:5433,[fd00::9]:5434,db.example.com/parley?application_name=x'
  expect(hostsOf(url)).toEqual([
    { host: '10.0.0.8', port: 5433 },
    { host: 'fd00::9', port: 5434 },
    { host: 'db.example.com', port: 5432 },
  ])
  expect(withFirstHost(url)).toBe('postgres://parley:a,b:c@10.0.0.8:5433/parley?application_name=x')
  expect(hostsOf('postgres://parley:secret@/parley?host=%2Ftmp&port=5')).toEqual([])
})

it('refuses an address that asks for a standby, and a way around nothing', () => {
  const url = 'postgres://parley:hidden@one,two/parley?target_session_attrs='
  expect(readConfig({ DATABASE_URL: `${url}read-write` }).databaseUrl).toBe(`${url}read-write`)
  expect(() => readConfig({ DATABASE_URL: `${url}standby` })).toThrow(
    'DATABASE_URL asks for target_session_attrs=standby; Parley writes, so it must be read-write, or left out.',
  )
  expect(() => readConfig({ DATABASE_DIRECT_URL: `${url}any` })).toThrow(/DATABASE_URL, which is not set/)
})
