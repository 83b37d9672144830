import type { FastifyInstance } from 'fastify'
import { listEmoji } from '../../../contract/emoji.ts'
import { listGroupMembers, listGroups, readGroup } from '../../../contract/groups.ts'
import { listLabels } from '../../../contract/labels.ts'
import { listMembers, readMe, readMember } from '../../../contract/members.ts'
import { listOrgUnits, readOrgUnit } from '../../../contract/org-units.ts'
import type { RunOperation } from '../../http/bot-api.ts'
import type { Parley } from '../../parley.ts'
import { rehearsalApi } from './api.ts'
import { rehearsedReads } from './reads.ts'
import { rehearsedStorage } from './storage.ts'
import { rehearsedUpdates } from './updates.ts'
import { rehearsedWrites } from './writes.ts'

/** Names, emoji, labels and units, which say nothing of what people write. */
const DIRECTORY = [
  readMe,
  readMember,
  listMembers,
  listEmoji,
  listLabels,
  listOrgUnits,
  readOrgUnit,
  listGroups,
  readGroup,
  listGroupMembers,
]

/** The bot API for a bot that rehearses: it hears past events, and what it does is kept and not sent. */
export function rehearsalRoutes(
  app: FastifyInstance,
  parley: Parley,
  runs: ReadonlyMap<string, RunOperation>,
): void {
  const api = rehearsalApi(parley, runs)
  rehearsedUpdates(api)
  rehearsedReads(api)
  rehearsedWrites(api)
  rehearsedStorage(api)
  for (const operation of DIRECTORY) api.passes(operation)
  api.mount(app)
}
