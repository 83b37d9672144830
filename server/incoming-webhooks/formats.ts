import type { IncomingFormat, IncomingSource } from '../../contract/incoming.ts'
import { LIMITS } from '../../contract/limits.ts'
import { refusal } from '../errors.ts'
import { renderAlertmanager, renderGrafana } from './alerts.ts'
import { renderGeneric } from './generic.ts'
import { renderGithub } from './github.ts'
import { renderGitlab } from './gitlab.ts'
import { cut } from './markdown.ts'
import { at, type Payload, type Rendered } from './payload.ts'
import { renderSentry } from './sentry.ts'
import { renderSlack, renderText } from './slack.ts'

const RENDERERS: Record<IncomingSource, (payload: Payload, template: string | undefined) => Rendered> = {
  text: renderText,
  slack: renderSlack,
  github: renderGithub,
  gitlab: renderGitlab,
  grafana: renderGrafana,
  alertmanager: renderAlertmanager,
  sentry: renderSentry,
  generic: renderGeneric,
}

/** The sender, by headers that only they send, then by the body. */
export function sourceOf(format: IncomingFormat, { body, header }: Payload): IncomingSource {
  if (format !== 'auto') return format
  if (header('x-github-event') !== '') return 'github'
  if (header('x-gitlab-event') !== '') return 'gitlab'
  if (header('sentry-hook-resource') !== '') return 'sentry'
  if (Array.isArray(at(body, 'alerts')) && at(body, 'groupKey') !== undefined)
    return at(body, 'orgId') === undefined ? 'alertmanager' : 'grafana'
  const isSlack = ['text', 'blocks', 'attachments'].some((name) => at(body, name) !== undefined)
  return isSlack ? 'slack' : 'generic'
}

/** The message of a call, cut to a message's limit. */
export function render(source: IncomingSource, payload: Payload, template: string | undefined): Rendered {
  const rendered = RENDERERS[source](payload, template)
  if ('ignored' in rendered) return rendered
  const text = cut(kept(rendered.text).trim(), LIMITS.messageText - 1)
  if (text === '') throw refusal('incoming_payload_empty')
  return { ...rendered, text }
}

/** Characters that the database cannot hold are left out: the sender could not do anything about them. */
const kept = (text: string): string => text.replaceAll('\0', '').toWellFormed()
