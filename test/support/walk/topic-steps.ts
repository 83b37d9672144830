import {
  guarded,
  type Lane,
  type PlannedStep,
  refusalOf,
  refused,
  type Step,
  type WalkTopic,
} from './lane.ts'

const MAX_NAME = 64
const MAX_LABELS = 20
const UNKNOWN_MEMBER = 'b@00000000-0000-4000-8000-000000000000'

const membersSeen = (body: unknown): string[] => [...Object(body).memberIds].sort()
const sorted = (ids: Iterable<string>): string[] => [...ids].sort()

export function createTopic(lane: Lane): Step {
  const bot = lane.random.pick([...lane.organization.writers, lane.organization.reader])
  const others = lane.bots.filter(() => lane.random.chance(0.5)).map(({ id }) => id)
  const isTooLong = lane.random.chance(0.05)
  const isUnknown = lane.random.chance(0.05)
  const name = isTooLong ? 'x'.repeat(MAX_NAME + 1) : lane.newText().slice(0, MAX_NAME)
  const request = {
    bot,
    method: 'POST' as const,
    path: '/v2/topics',
    body: { name, members: [...others, ...(isUnknown ? [UNKNOWN_MEMBER] : [])] },
  }
  const refusal = refusalOf(lane, bot, 'POST', undefined, '')
  if (refusal) return { ...request, ...refusal }
  if (isTooLong) return { ...request, ...refused(400, 'name too long') }
  if (isUnknown) return { ...request, ...refused(400, 'Invalid member') }
  const memberIds = new Set([bot.id, ...others])
  return {
    ...request,
    expected: { status: 201, body: { name, members: sorted(memberIds) } },
    seen: (body) => ({ name: Object(body).name, members: [...Object(body).members].sort() }),
    apply: (body) => {
      const lists = { messages: [], deletedIds: [], tasks: [], polls: [] }
      lane.addTopic({ id: Object(body).id, name, memberIds, labelId: undefined, ...lists })
    },
  }
}

/** A step of a bot at a topic, allowed to members. */
function atTopic(
  lane: Lane,
  method: Step['method'],
  path: string,
  step: (topic: WalkTopic) => PlannedStep,
): Step | undefined {
  const topic = lane.random.maybePick(lane.topics)
  if (!topic) return undefined
  const bot = lane.anyBot()
  const planned = step(topic)
  const request = { bot, method, path: `/v2/topics/${topic.id}${path}` }
  return guarded(lane, request, planned, topic, 'Topic not found')
}

export const readTopic = (lane: Lane) =>
  atTopic(lane, 'GET', '', ({ name, memberIds, labelId }) => ({
    expected: {
      status: 200,
      body: { name, memberIds: sorted(memberIds), labels: labelId === undefined ? [] : [labelId] },
    },
    seen: (body) => ({ name: Object(body).name, memberIds: membersSeen(body), labels: Object(body).labels }),
  }))

export const renameTopic = (lane: Lane) =>
  atTopic(lane, 'PATCH', '', (topic) => {
    const name = lane.newText().slice(0, MAX_NAME)
    return {
      body: { name },
      expected: { status: 200, body: name },
      seen: (body) => Object(body).name,
      apply: () => {
        topic.name = name
      },
    }
  })

export const addMember = (lane: Lane) =>
  atTopic(lane, 'POST', '/members', ({ memberIds }) => {
    const isUnknown = lane.random.chance(0.1)
    const added = isUnknown ? UNKNOWN_MEMBER : lane.random.pick(lane.bots).id
    const body = { memberIds: [added] }
    if (isUnknown) return { body, ...refused(400, 'Invalid member') }
    if (memberIds.has(added)) return { body, ...refused(400, 'member is already in the topic') }
    return {
      body,
      expected: { status: 200, body: sorted([...memberIds, added]) },
      seen: membersSeen,
      apply: () => memberIds.add(added),
    }
  })

/** Removes a member, sometimes the bot itself or one that is not in the topic. */
export const removeMember = (lane: Lane) =>
  atTopic(lane, 'DELETE', '/members', ({ memberIds }) => {
    const removed = lane.random.pick(lane.bots).id
    return {
      body: { memberIds: [removed] },
      expected: { status: 200, body: sorted([...memberIds].filter((id) => id !== removed)) },
      seen: membersSeen,
      apply: () => memberIds.delete(removed),
    }
  })

export function createLabel(lane: Lane): Step | undefined {
  const known = lane.random.chance(0.3) ? lane.random.maybePick(lane.labels) : undefined
  if (!known && lane.labels.length >= MAX_LABELS) return undefined
  const bot = lane.random.pick(lane.bots)
  const name = known?.name.toUpperCase() ?? lane.newText()
  const request = { bot, method: 'POST' as const, path: '/v2/organization/labels', body: { name } }
  const refusal = refusalOf(lane, bot, 'POST', undefined, '')
  if (refusal) return { ...request, ...refusal }
  if (known) return { ...request, ...refused(400, 'Label name already exists') }
  return {
    ...request,
    expected: { status: 201, body: name },
    seen: (body) => Object(body).name,
    apply: (body) => lane.labels.push({ id: Object(body).id, name }),
  }
}

export const putLabel = (lane: Lane) =>
  atTopic(lane, 'POST', '/labels', (topic) => {
    const label = lane.random.chance(0.9) ? lane.random.maybePick(lane.labels) : undefined
    const labelId = label?.id ?? lane.random.uuid()
    const body = { labelId }
    if (!label) return { body, ...refused(400, 'Invalid labelId') }
    if (topic.labelId !== undefined && topic.labelId !== labelId)
      return { body, ...refused(400, 'topic already has a label') }
    return {
      body,
      expected: { status: 200, body: [labelId] },
      seen: (answer) => Object(answer).labels,
      apply: () => {
        topic.labelId = labelId
      },
    }
  })

export function takeLabelOff(lane: Lane): Step | undefined {
  const label = lane.random.maybePick(lane.labels)
  if (!label) return undefined
  return atTopic(lane, 'DELETE', `/labels/${label.id}`, (topic) => {
    const left = topic.labelId === undefined || topic.labelId === label.id ? [] : [topic.labelId]
    return {
      expected: { status: 200, body: left },
      seen: (answer) => Object(answer).labels,
      apply: () => {
        topic.labelId = left[0]
      },
    }
  })
}

/** Adds or removes a member of the lane's org unit, or reads it. */
export function changeOrgUnit(lane: Lane): Step {
  const { unit, random } = lane
  const bot = lane.anyBot()
  const path = `/v2/org-units/${unit.id}`
  const method = random.pick(['GET', 'POST', 'DELETE'] as const)
  const { id } = random.pick(lane.bots)
  const request =
    method === 'GET'
      ? { bot, method, path }
      : { bot, method, path: `${path}/members`, body: { memberIds: [id] } }
  const refusal = refusalOf(lane, bot, method, undefined, '')
  if (refusal) return { ...request, ...refusal }
  if (bot === lane.organization.foreigner) return { ...request, ...refused(404, 'Org unit not found') }
  const memberIds = new Set(unit.memberIds)
  if (method === 'POST') memberIds.add(id)
  if (method === 'DELETE') memberIds.delete(id)
  return {
    ...request,
    expected: { status: 200, body: sorted(memberIds) },
    seen: membersSeen,
    apply: () => {
      unit.memberIds = memberIds
    },
  }
}
