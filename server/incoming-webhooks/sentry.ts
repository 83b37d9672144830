import { code, line, lines, link, quoted, words } from './markdown.ts'
import { at, firstText, type Payload, type Rendered, textAt } from './payload.ts'

type Render = (body: unknown) => string | undefined

const LEVELS: Record<string, string> = { fatal: '🔴', error: '🔴', warning: '🟡', info: '🔵', debug: '⚪' }

/** Webhooks of Sentry's integrations by `Sentry-Hook-Resource`. Those that are not here get one line. */
const RESOURCES: Record<string, Render> = {
  installation: (body) => `Sentry is ${at(body, 'action') === 'deleted' ? 'disconnected' : 'connected'}.`,
  event_alert: (body) =>
    lines(
      `${mark(body, 'data.event')} **${title(body, 'data.event')}**`,
      details(body, 'data.event'),
      textAt(body, 'data.triggered_rule') !== '' && `Rule: ${line(textAt(body, 'data.triggered_rule'))}`,
    ),
  error: (body) =>
    lines(`${mark(body, 'data.error')} **${title(body, 'data.error')}**`, details(body, 'data.error')),
  issue,
  metric_alert: (body) => {
    const state = textAt(body, 'action')
    const sign = { critical: '🔴', warning: '🟡', resolved: '✅' }[state] ?? '⚪'
    const name = line(firstText(body, 'data.description_title', 'data.metric_alert.title')) || 'Metric alert'
    return lines(
      `${sign} **${link(name, textAt(body, 'data.web_url'))}**`,
      line(textAt(body, 'data.description_text').replaceAll('\\n', ' '), 500),
    )
  },
  comment: (body) => {
    if (at(body, 'action') !== 'created') return undefined
    return lines(
      `**${line(textAt(body, 'actor.name')) || 'Somebody'}** commented on the issue ${code(textAt(body, 'data.issue_id'))}${inProject(textAt(body, 'data.project_slug'))}`,
      quoted(textAt(body, 'data.comment')),
    )
  },
}

export function renderSentry({ body, header }: Payload): Rendered {
  const resource = header('sentry-hook-resource')
  // A request without the header comes from the older webhook plug-in.
  if (resource === '') return { text: olderEvent(body), event: 'event' }
  const action = textAt(body, 'action')
  const event = action === '' ? resource : `${resource}.${action}`
  const render = Object.hasOwn(RESOURCES, resource) ? RESOURCES[resource] : undefined
  const text = render ? render(body) : `Sentry: ${words(resource)} ${words(action)}`
  return text === undefined ? { ignored: event, event } : { text, event }
}

const ISSUE_VERBS: Record<string, string> = {
  created: 'New issue',
  resolved: 'Resolved',
  unresolved: 'Open again',
  assigned: 'Assigned',
  archived: 'Archived',
  ignored: 'Archived',
}

function issue(body: unknown): string | undefined {
  const action = textAt(body, 'action')
  const verb = ISSUE_VERBS[action]
  if (verb === undefined) return undefined
  const id = line(textAt(body, 'data.issue.shortId'))
  const to = action === 'assigned' ? line(textAt(body, 'data.issue.assignedTo.name')) : ''
  const by = textAt(body, 'actor.type') === 'user' ? line(textAt(body, 'actor.name')) : ''
  const sign = action === 'resolved' ? '✅' : mark(body, 'data.issue')
  return lines(
    `${sign} ${verb}${to === '' ? '' : ` to **${to}**`}${by === '' ? '' : ` by **${by}**`}: **${title(body, 'data.issue')}**${id === '' ? '' : ` ${code(id)}`}`,
    details(body, 'data.issue'),
  )
}

const mark = (body: unknown, of: string): string => LEVELS[textAt(body, `${of}.level`)] ?? '🔴'

const title = (body: unknown, of: string): string =>
  link(
    line(firstText(body, `${of}.title`, `${of}.message`)) || 'Issue',
    firstText(body, `${of}.web_url`, `${of}.permalink`),
  )

const inProject = (name: string): string => (name === '' ? '' : ` in ${code(name)}`)

/** The place of an error: project, code, environment. */
function details(body: unknown, of: string): string {
  const project = firstText(body, `${of}.project.slug`, `${of}.project.name`, `${of}.project_name`)
  const parts = [
    project === '' ? '' : `Project ${code(project)}`,
    textAt(body, `${of}.culprit`) === '' ? '' : code(textAt(body, `${of}.culprit`)),
    textAt(body, `${of}.environment`) === '' ? '' : `Environment ${code(textAt(body, `${of}.environment`))}`,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function olderEvent(body: unknown): string {
  const name = line(firstText(body, 'event.title', 'message', 'culprit')) || 'Issue'
  const project = firstText(body, 'project_name', 'project')
  const culprit = textAt(body, 'culprit')
  return lines(
    `${LEVELS[textAt(body, 'level')] ?? '🔴'} **${link(name, textAt(body, 'url'))}**`,
    [project === '' ? '' : `Project ${code(project)}`, code(culprit)]
      .filter((part) => part !== '')
      .join(' · '),
  )
}
