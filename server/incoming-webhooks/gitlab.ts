import { commit, isNoCommit } from './commits.ts'
import { capital, code, counted, line, lines, link, quoted, words } from './markdown.ts'
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

type Render = (body: unknown) => string | undefined

/** Events of GitLab by `object_kind`, of projects and of groups. Those that are not here get one line. */
const EVENTS: Record<string, Render> = {
  push: (body) => pushed(body, 'branch'),
  tag_push: (body) => pushed(body, 'tag'),
  issue: (body) => opened(body, 'issue', '#'),
  work_item: (body) => opened(body, 'work item', '#'),
  merge_request: mergeRequest,
  note,
  pipeline,
  build: (body) => {
    // Failed jobs alone make a message; the pipeline's message covers the others.
    if (textAt(body, 'build_status') !== 'failed' || at(body, 'build_allow_failure') === true)
      return undefined
    return `❌ The job ${code(textAt(body, 'build_name'))} failed on ${code(textAt(body, 'ref'))}${inProject(body)}`
  },
  release: (body) => {
    const action = textAt(body, 'action')
    const verb = { create: 'New release', update: 'Release changed', delete: 'Release deleted' }[action]
    if (verb === undefined) return undefined
    const name = link(line(firstText(body, 'name', 'tag')), textAt(body, 'url'))
    return lines(
      `${verb}: **${name}**${inProject(body)}`,
      action === 'create' && quoted(textAt(body, 'description')),
    )
  },
  wiki_page: (body) => {
    const page = link(line(textAt(body, 'object_attributes.title')), textAt(body, 'object_attributes.url'))
    return `${who(body)} ${ACTIONS[textAt(body, 'object_attributes.action')] ?? 'changed'} the wiki page **${page}**${inProject(body)}`
  },
  deployment: (body) => {
    const status = textAt(body, 'status')
    if (status !== 'success' && status !== 'failed') return undefined
    const mark = status === 'success' ? '✅' : '❌'
    return `${mark} ${link('Deployment', textAt(body, 'deployable_url'))} to ${code(textAt(body, 'environment'))}: **${words(status)}**${inProject(body)}`
  },
}

export function renderGitlab({ body, header }: Payload): Rendered {
  const name = firstText(body, 'object_kind', 'event_name') || header('x-gitlab-event').replace(/ Hook$/i, '')
  const kind = name.toLowerCase().replaceAll(' ', '_')
  const action = textAt(body, 'object_attributes.action')
  const event = action === '' ? kind : `${kind}.${action}`
  const render = Object.hasOwn(EVENTS, kind) ? EVENTS[kind] : undefined
  const text = render ? render(body) : `${who(body)}: ${words(kind)}${inProject(body)}`
  return text === undefined ? { ignored: event, event } : { text, event }
}

const who = (body: unknown): string =>
  `**${line(firstText(body, 'user.name', 'user_name', 'user.username', 'user_username')) || 'GitLab'}**`

function inProject(body: unknown): string {
  const name = line(
    firstText(body, 'project.path_with_namespace', 'project.name', 'repository.name', 'group.full_path'),
  )
  return name === ''
    ? ''
    : ` in ${link(name, firstText(body, 'project.web_url', 'repository.homepage', 'group.web_url'))}`
}

function pushed(body: unknown, kind: 'branch' | 'tag'): string {
  const name = requiredText(body, 'ref').replace(/^refs\/(heads|tags)\//, '')
  if (isNoCommit(textAt(body, 'after')))
    return `${who(body)} deleted the ${kind} ${code(name)}${inProject(body)}`
  const isNew = isNoCommit(textAt(body, 'before'))
  const commits = listAt(body, 'commits')
  const count = Math.max(lengthAt(body, 'commits'), Number(textAt(body, 'total_commits_count')) || 0)
  if (kind === 'tag' || commits.length === 0)
    return `${who(body)} ${isNew ? 'pushed the new' : 'moved the'} ${kind} ${code(name)}${inProject(body)}`
  return lines(
    `${who(body)} pushed ${counted(count, 'commit')} to the ${isNew ? 'new ' : ''}branch ${code(name)}${inProject(body)}`,
    ...commits.slice(0, SHOWN_ITEMS).map(commit),
    count > Math.min(commits.length, SHOWN_ITEMS) &&
      `- and ${count - Math.min(commits.length, SHOWN_ITEMS)} more`,
  )
}

const ACTIONS: Record<string, string> = {
  open: 'opened',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'took back the approval of',
  create: 'created',
  delete: 'deleted',
}

/** `!7 Make it faster`, with a link. */
function subject(body: unknown, of: string, mark: string): string {
  const number = requiredText(body, `${of}.iid`)
  const title = `${mark}${line(number)} ${line(textAt(body, `${of}.title`))}`
  return `**${link(title, textAt(body, `${of}.url`))}**`
}

function opened(body: unknown, kind: string, mark: string): string | undefined {
  const action = textAt(body, 'object_attributes.action')
  const verb = ACTIONS[action]
  if (verb === undefined) return undefined
  return lines(
    `${who(body)} ${verb} the ${kind} ${subject(body, 'object_attributes', mark)}${inProject(body)}`,
    action === 'open' && quoted(textAt(body, 'object_attributes.description')),
  )
}

function mergeRequest(body: unknown): string | undefined {
  const action = textAt(body, 'object_attributes.action')
  const verb = ACTIONS[action]
  if (verb === undefined) return undefined
  const draft = firstText(body, 'object_attributes.draft', 'object_attributes.work_in_progress') === 'true'
  const [from, to] = [
    textAt(body, 'object_attributes.source_branch'),
    textAt(body, 'object_attributes.target_branch'),
  ]
  const branches =
    (action === 'open' || action === 'merge') && from !== '' ? ` (${code(from)} into ${code(to)})` : ''
  return lines(
    `${who(body)} ${verb} the ${draft ? 'draft ' : ''}merge request ${subject(body, 'object_attributes', '!')}${branches}${inProject(body)}`,
    action === 'open' && quoted(textAt(body, 'object_attributes.description')),
  )
}

function note(body: unknown): string | undefined {
  if (textAt(body, 'object_attributes.action') === 'update') return undefined
  const said = link('commented', textAt(body, 'object_attributes.url'))
  const on = textAt(body, 'object_attributes.noteable_type')
  const what =
    on === 'MergeRequest'
      ? `the merge request ${subject(body, 'merge_request', '!')}`
      : on === 'Issue'
        ? `the issue ${subject(body, 'issue', '#')}`
        : on === 'Commit'
          ? `the commit ${code(textAt(body, 'commit.id').slice(0, 7))}`
          : `the snippet **${line(textAt(body, 'snippet.title'))}**`
  return lines(
    `${who(body)} ${said} on ${what}${inProject(body)}`,
    quoted(textAt(body, 'object_attributes.note')),
  )
}

const MARKS: Record<string, string> = { success: '✅', failed: '❌', canceled: '⚪', skipped: '⚪' }

/** Reports a pipeline only when it has ended. */
function pipeline(body: unknown): string | undefined {
  const status = textAt(body, 'object_attributes.status')
  const mark = MARKS[status]
  if (mark === undefined) return undefined
  const id = requiredText(body, 'object_attributes.id')
  const page = textAt(body, 'project.web_url')
  const url = textAt(body, 'object_attributes.url') || (page === '' ? '' : `${page}/-/pipelines/${id}`)
  const seconds = Number(textAt(body, 'object_attributes.duration')) || 0
  const failed = listAt(body, 'builds').filter((build) => textAt(build, 'status') === 'failed')
  const title = line(textAt(body, 'commit.title'))
  return lines(
    `${mark} **${link(`Pipeline #${line(id)}`, url)}**: ${capital(words(status))} on ${code(textAt(body, 'object_attributes.ref'))}${seconds > 0 ? ` after ${duration(seconds)}` : ''}${inProject(body)}`,
    title !== '' && `> ${title}`,
    ...failed
      .slice(0, SHOWN_ITEMS)
      .map((build) => `- ❌ ${code(textAt(build, 'name'))} (${words(textAt(build, 'stage'))})`),
  )
}

const duration = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
