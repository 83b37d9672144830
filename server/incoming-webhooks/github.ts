import { refusal } from '../errors.ts'
import { commit, isNoCommit } from './commits.ts'
import { capital, code, counted, firstLine, line, lines, link, quoted, words } from './markdown.ts'
import {
  at,
  firstText,
  lengthAt,
  listAt,
  type Payload,
  type Rendered,
  requiredText,
  SHOWN_ITEMS,
  textAt,
} from './payload.ts'

/** Events that only lead to others: `workflow_run` reports their outcome. */
const QUIET = ['check_run', 'check_suite', 'workflow_job', 'status']

/** Renders one kind of event; undefined for actions not worth a message. */
type Render = (body: unknown) => string | undefined

/** Events of GitHub by `X-GitHub-Event`. Others get one line. */
const EVENTS: Record<string, Render> = {
  ping: (body) =>
    lines(`GitHub is connected${from(body)}.`, textAt(body, 'zen') && `> ${line(textAt(body, 'zen'))}`),
  push,
  create: (body) =>
    `${who(body)} created the ${refKind(body)} ${code(textAt(body, 'ref'))}${inRepository(body)}`,
  delete: (body) =>
    `${who(body)} deleted the ${refKind(body)} ${code(textAt(body, 'ref'))}${inRepository(body)}`,
  pull_request: pullRequest,
  pull_request_review: review,
  pull_request_review_comment: (body) =>
    at(body, 'action') === 'created'
      ? lines(
          `${who(body)} ${commented(body)} on ${subject(body, 'pull_request')}${inRepository(body)}`,
          quoted(textAt(body, 'comment.body')),
        )
      : undefined,
  issues: (body) => {
    const action = textAt(body, 'action')
    if (!['opened', 'closed', 'reopened', 'transferred', 'deleted'].includes(action)) return undefined
    const why = textAt(body, 'issue.state_reason') === 'not_planned' ? ' as not planned' : ''
    return lines(
      `${who(body)} ${action} the issue ${subject(body, 'issue')}${action === 'closed' ? why : ''}${inRepository(body)}`,
      action === 'opened' && quoted(textAt(body, 'issue.body')),
    )
  },
  issue_comment: (body) => {
    if (at(body, 'action') !== 'created') return undefined
    const kind = at(body, 'issue.pull_request') ? 'pull request' : 'issue'
    return lines(
      `${who(body)} ${commented(body)} on the ${kind} ${subject(body, 'issue')}${inRepository(body)}`,
      quoted(textAt(body, 'comment.body')),
    )
  },
  commit_comment: (body) =>
    lines(
      `${who(body)} ${commented(body)} on the commit ${code(textAt(body, 'comment.commit_id').slice(0, 7))}${inRepository(body)}`,
      quoted(textAt(body, 'comment.body')),
    ),
  release: (body) => {
    const action = textAt(body, 'action')
    // A release that is published is also created and released.
    if (action !== 'published' && action !== 'deleted') return undefined
    const name = firstText(body, 'release.name', 'release.tag_name')
    const kind = at(body, 'release.prerelease') === true ? 'pre-release' : 'release'
    return lines(
      `${who(body)} ${action} the ${kind} **${link(line(name), textAt(body, 'release.html_url'))}**${inRepository(body)}`,
      action === 'published' && quoted(textAt(body, 'release.body')),
    )
  },
  workflow_run: workflowRun,
  deployment_status: (body) => {
    const state = textAt(body, 'deployment_status.state')
    if (!['success', 'failure', 'error'].includes(state)) return undefined
    const place = code(firstText(body, 'deployment_status.environment', 'deployment.environment'))
    const url = firstText(body, 'deployment_status.environment_url', 'deployment_status.target_url')
    return `${MARKS[state] ?? ''} ${link('Deployment', url)} to ${place}: **${words(state)}**${inRepository(body)}`
  },
  fork: (body) =>
    `${who(body)} forked ${repository(body)} to ${link(line(textAt(body, 'forkee.full_name')), textAt(body, 'forkee.html_url'))}`,
}

export function renderGithub({ body, header }: Payload): Rendered {
  const name = header('x-github-event')
  if (name === '') throw refusal('incoming_field_missing', { field: 'X-GitHub-Event' })
  const action = textAt(body, 'action')
  const event = action === '' ? name : `${name}.${action}`
  if (QUIET.includes(name)) return { ignored: event, event }
  const render = Object.hasOwn(EVENTS, name) ? EVENTS[name] : undefined
  const text = render ? render(body) : other(body, name)
  return text === undefined ? { ignored: event, event } : { text, event }
}

const other = (body: unknown, name: string): string =>
  `${who(body)}: ${words(name)}${at(body, 'action') === undefined ? '' : ` ${words(textAt(body, 'action'))}`}${inRepository(body)}`

const who = (body: unknown): string =>
  `**${line(firstText(body, 'sender.login', 'pusher.name', 'organization.login')) || 'GitHub'}**`

const repository = (body: unknown): string => {
  const name = line(textAt(body, 'repository.full_name'))
  return name === '' ? '' : link(name, textAt(body, 'repository.html_url'))
}

function inRepository(body: unknown): string {
  const name = repository(body)
  return name === '' ? '' : ` in ${name}`
}

function from(body: unknown): string {
  const name = repository(body) || line(textAt(body, 'organization.login'))
  return name === '' ? '' : ` to ${name}`
}

const refKind = (body: unknown): string => (textAt(body, 'ref_type') === 'tag' ? 'tag' : 'branch')

const commented = (body: unknown): string => link('commented', textAt(body, 'comment.html_url'))

/** `#12 Make it faster`, with a link. */
function subject(body: unknown, of: 'issue' | 'pull_request'): string {
  const number = requiredText(body, `${of}.number`)
  return `**${link(`#${line(number)} ${line(textAt(body, `${of}.title`))}`, textAt(body, `${of}.html_url`))}**`
}

function push(body: unknown): string {
  const ref = requiredText(body, 'ref')
  const [kind, name] = ref.startsWith('refs/tags/')
    ? ['tag', ref.slice(10)]
    : ['branch', ref.replace(/^refs\/heads\//, '')]
  if (at(body, 'deleted') === true || isNoCommit(textAt(body, 'after')))
    return `${who(body)} deleted the ${kind} ${code(name)}${inRepository(body)}`
  const commits = listAt(body, 'commits')
  const count = lengthAt(body, 'commits')
  const isNew = at(body, 'created') === true
  if (count === 0 || kind === 'tag')
    return `${who(body)} ${isNew ? 'pushed the new' : 'moved the'} ${kind} ${code(name)}${inRepository(body)}`
  const verb = at(body, 'forced') === true ? 'force-pushed' : 'pushed'
  const shown = link(counted(count, 'commit'), textAt(body, 'compare'))
  return lines(
    `${who(body)} ${verb} ${shown} to the ${isNew ? 'new ' : ''}branch ${code(name)}${inRepository(body)}`,
    ...commits.slice(0, SHOWN_ITEMS).map(commit),
    count > SHOWN_ITEMS && `- and ${count - SHOWN_ITEMS} more`,
  )
}

function pullRequest(body: unknown): string | undefined {
  const action = textAt(body, 'action')
  const isMerged = action === 'closed' && at(body, 'pull_request.merged') === true
  const draft = at(body, 'pull_request.draft') === true ? 'draft ' : ''
  const verb = isMerged
    ? 'merged'
    : {
        opened: 'opened',
        closed: 'closed',
        reopened: 'reopened',
        ready_for_review: 'marked as ready for review',
        converted_to_draft: 'turned into a draft',
      }[action]
  if (verb === undefined) return undefined
  const branches = isMerged || action === 'opened' ? branchesOf(body) : ''
  const size = action === 'opened' ? sizeOf(body) : ''
  return lines(
    `${who(body)} ${verb} the ${draft}pull request ${subject(body, 'pull_request')}${branches}${inRepository(body)}${size}`,
    action === 'opened' && quoted(textAt(body, 'pull_request.body')),
  )
}

function branchesOf(body: unknown): string {
  const [head, base] = [textAt(body, 'pull_request.head.ref'), textAt(body, 'pull_request.base.ref')]
  return head === '' || base === '' ? '' : ` (${code(head)} into ${code(base)})`
}

function sizeOf(body: unknown): string {
  const [added, removed] = [textAt(body, 'pull_request.additions'), textAt(body, 'pull_request.deletions')]
  return added === '' || removed === '' ? '' : ` · +${line(added)} −${line(removed)}`
}

function review(body: unknown): string | undefined {
  if (at(body, 'action') !== 'submitted') return undefined
  const verb = {
    approved: 'approved',
    changes_requested: 'asked for changes in',
    commented: 'reviewed',
  }[textAt(body, 'review.state').toLowerCase()]
  if (verb === undefined) return undefined
  return lines(
    `${verb === 'approved' ? '✅ ' : ''}${who(body)} ${verb} the pull request ${subject(body, 'pull_request')}${inRepository(body)}`,
    quoted(textAt(body, 'review.body')),
  )
}

const MARKS: Record<string, string> = {
  success: '✅',
  failure: '❌',
  error: '❌',
  timed_out: '❌',
  startup_failure: '❌',
  cancelled: '⚪',
  skipped: '⚪',
  action_required: '🟡',
}

/** Reports a run only when it has completed. */
function workflowRun(body: unknown): string | undefined {
  if (at(body, 'action') !== 'completed') return undefined
  const result = textAt(body, 'workflow_run.conclusion')
  const name = line(firstText(body, 'workflow_run.name', 'workflow.name')) || 'Workflow'
  const number = line(textAt(body, 'workflow_run.run_number'))
  const title = firstLine(firstText(body, 'workflow_run.display_title', 'workflow_run.head_commit.message'))
  const run = link(`${name}${number === '' ? '' : ` #${number}`}`, textAt(body, 'workflow_run.html_url'))
  const branch = textAt(body, 'workflow_run.head_branch')
  return lines(
    `${MARKS[result] ?? '⚪'} **${run}**: ${capital(words(result))}${branch === '' ? '' : ` on ${code(branch)}`}${inRepository(body)}`,
    title !== '' && `> ${title}`,
  )
}
