import {
  guarded,
  type Lane,
  malformed,
  type PlannedStep,
  refused,
  type Step,
  type WalkPoll,
  type WalkTask,
  type WalkTopic,
} from './lane.ts'

/** Tasks and polls of a topic, each of which also adds a message. */
const MAX_IN_TOPIC = 4
const OPTIONS = ['Yes', 'No', 'Later']

function atNewTopicItem(
  lane: Lane,
  path: string,
  count: (topic: WalkTopic) => number,
  step: (topic: WalkTopic) => PlannedStep,
): Step | undefined {
  const topic = lane.random.maybePick(lane.topics.filter((one) => count(one) < MAX_IN_TOPIC))
  if (!topic) return undefined
  const bot = lane.anyBot()
  const planned = step(topic)
  const request = { bot, method: 'POST' as const, path }
  return guarded(lane, request, planned, topic, 'Topic not found')
}

export const createTask = (lane: Lane) =>
  atNewTopicItem(
    lane,
    '/v2/tasks',
    ({ tasks }) => tasks.length,
    (topic) => {
      const title = lane.newText()
      const assignee = lane.random.chance(0.4) ? lane.random.pick(lane.bots).id : undefined
      const body = { topicId: topic.id, title, ...(assignee !== undefined && { assignee }) }
      if (assignee !== undefined && !topic.memberIds.has(assignee))
        return { body, ...refused(400, 'Invalid assignee') }
      return {
        body,
        expected: { status: 201, body: { topicId: topic.id, title } },
        seen: (answer) => ({ topicId: Object(answer).topicId, title: Object(answer).title }),
        apply: (answer) => topic.tasks.push({ id: Object(answer).id, title, status: 'Open' }),
      }
    },
  )

function atTask(
  lane: Lane,
  method: Step['method'],
  step: (task: WalkTask, topic: WalkTopic) => PlannedStep,
): Step | undefined {
  const topic = lane.random.maybePick(lane.topics.filter(({ tasks }) => tasks.length > 0))
  if (!topic) return undefined
  const task = lane.random.pick(topic.tasks)
  const bot = lane.anyBot()
  const planned = step(task, topic)
  const request = { bot, method, path: `/v2/tasks/${task.id}` }
  return guarded(lane, request, planned, topic, 'Task not found')
}

export const readTask = (lane: Lane) =>
  atTask(lane, 'GET', ({ id, title, status }, { id: topicId }) => ({
    expected: { status: 200, body: { id, topicId, title, status } },
    seen: (body) => {
      const { id, topicId, title, status } = Object(body)
      return { id, topicId, title, status }
    },
  }))

export const updateTask = (lane: Lane) =>
  atTask(lane, 'PATCH', (task, topic) => {
    const title = lane.newText()
    const status = lane.random.chance(0.5) ? lane.random.pick(['Open', 'Done'] as const) : undefined
    const topicId = lane.random.chance(0.9) ? topic.id : undefined
    const body = { title, ...(status && { status }), ...(topicId && { topicId }) }
    if (status && !topicId) return { body, ...malformed('topicId is required when status is given') }
    return {
      body,
      expected: { status: 200, body: task.id },
      seen: (answer) => Object(answer).id,
      apply: () => Object.assign(task, { title, status: status ?? task.status }),
    }
  })

export const deleteTask = (lane: Lane) =>
  atTask(lane, 'DELETE', (task, topic) => ({
    expected: { status: 204 },
    apply: () => {
      topic.tasks = topic.tasks.filter((other) => other !== task)
    },
  }))

export const createPoll = (lane: Lane) =>
  atNewTopicItem(
    lane,
    '/v2/polls',
    ({ polls }) => polls.length,
    (topic) => {
      const question = lane.newText()
      const options = lane.random.chance(0.9) ? OPTIONS : OPTIONS.slice(1, 2)
      const body = { topicId: topic.id, question, options, selectionType: 'single' }
      if (options.length < 2) return { body, ...malformed('at least 2 options are required') }
      return {
        body,
        expected: { status: 201, body: { question, options } },
        seen: (answer) => ({
          question: Object(answer).question,
          options: optionsIn(answer).map(({ text }) => text),
        }),
        apply: (answer) => {
          const optionIds = optionsIn(answer).map(({ id }) => id)
          topic.polls.push({ id: Object(answer).id, optionIds, votes: new Map() })
        },
      }
    },
  )

const optionsIn = (poll: unknown): { id: string; text: string }[] => Object(poll).options

function atPoll(
  lane: Lane,
  method: Step['method'],
  step: (poll: WalkPoll, botId: string) => PlannedStep & { path: string },
): Step | undefined {
  const topic = lane.random.maybePick(lane.topics.filter(({ polls }) => polls.length > 0))
  if (!topic) return undefined
  const poll = lane.random.pick(topic.polls)
  const bot = lane.anyBot()
  const { path, ...planned } = step(poll, bot.id)
  const request = { bot, method, path: `/v2/polls/${poll.id}/votes${path}` }
  return guarded(lane, request, planned, topic, 'poll not found')
}

/** A vote for another option replaces the first one. */
export const castVote = (lane: Lane) =>
  atPoll(lane, 'POST', (poll, botId) => {
    const optionId = lane.random.chance(0.9) ? lane.random.pick(poll.optionIds) : '-none-'
    const path = ''
    const body = { optionId }
    if (optionId === '-none-') return { path, body, ...refused(400, 'invalid optionId') }
    const isKnown = poll.votes.get(botId)?.optionId === optionId
    return {
      path,
      body,
      expected: { status: isKnown ? 200 : 201, body: optionId },
      seen: (answer) => Object(answer).optionId,
      apply: (answer) => poll.votes.set(botId, { id: Object(answer).id, optionId }),
    }
  })

export const retractVote = (lane: Lane) =>
  atPoll(lane, 'DELETE', (poll, botId) => {
    const [voterId, vote] = lane.random.maybePick([...poll.votes]) ?? []
    const path = `/${vote?.id ?? `${poll.id}_${poll.optionIds[0]}_${botId}`}`
    if (voterId !== botId) return { path, ...refused(404, 'vote not found') }
    return { path, expected: { status: 204 }, apply: () => poll.votes.delete(botId) }
  })
