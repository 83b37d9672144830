import type { readSignups } from '../queries/organization/installation.ts'

const WHO = {
  everybody: 'everybody who reaches this server may create organizations',
  'this machine': 'only programs on this machine may create organizations',
  nobody: 'nobody may create organizations but the operator',
}

export function describeSignups({
  access,
  organizations,
  lastDay,
}: Awaited<ReturnType<typeof readSignups>>): string {
  return `${WHO[access]}; there are ${organizations}, ${lastDay} of them from the last 24 hours`
}
