import { refusal } from '../errors.ts'
import { address, capital, code, counted, cut, line, lines, link } from './markdown.ts'
import {
  at,
  entriesAt,
  firstText,
  lengthAt,
  listAt,
  type Payload,
  type Rendered,
  SHOWN_ITEMS,
  textAt,
} from './payload.ts'

const MAX_LABELS = 6
/** Labels that repeat the title, or concern only the sender. */
const HIDDEN_LABELS = ['alertname', 'grafana_folder', '__alert_rule_uid__']

/** Alertmanager's webhook, version 4. */
export function renderAlertmanager({ body }: Payload): Rendered {
  requireAlerts(body)
  const name = firstText(body, 'commonLabels.alertname', 'groupLabels.alertname') || groupOf(body) || 'Alerts'
  return render(body, `${capital(stateOf(body))}: ${line(name)}`, 'Alertmanager')
}

/** Grafana's alerting: like Alertmanager's, with a title. */
export function renderGrafana({ body }: Payload): Rendered {
  requireAlerts(body)
  const title = line(firstText(body, 'title', 'commonLabels.alertname')) || 'Alerts'
  return render(body, title, 'Grafana')
}

function requireAlerts(body: unknown): void {
  if (!Array.isArray(at(body, 'alerts'))) throw refusal('incoming_alerts_invalid')
}

const stateOf = (body: unknown): string => (textAt(body, 'status') === 'resolved' ? 'resolved' : 'firing')
const markOf = (value: unknown): string => (stateOf(value) === 'resolved' ? '✅' : '🔴')

const groupOf = (body: unknown): string =>
  entriesAt(body, 'groupLabels')
    .map(([, value]) => value)
    .join(', ')

function render(body: unknown, title: string, sender: string): Rendered {
  const alerts = listAt(body, 'alerts')
  const count = lengthAt(body, 'alerts') + (Number(textAt(body, 'truncatedAlerts')) || 0)
  const shown = alerts.slice(0, SHOWN_ITEMS)
  const text = lines(
    `${markOf(body)} **${title}**${count > 1 ? ` · ${counted(count, 'alert')}` : ''}`,
    ...shown.map((alert) => describe(alert)),
    count > shown.length && `- and ${count - shown.length} more`,
    shown.length === 0 && line(textAt(body, 'message'), 1000),
    linked([[sender, textAt(body, 'externalURL')]]).map((home) => `\n${home}`)[0],
  )
  return { text, event: stateOf(body) }
}

function describe(alert: unknown): string {
  const about = firstText(alert, 'annotations.summary', 'annotations.message', 'labels.alertname') || 'Alert'
  const description = textAt(alert, 'annotations.description')
  const labels = entriesAt(alert, 'labels').filter(([name]) => !HIDDEN_LABELS.includes(name))
  const shown = labels.slice(0, MAX_LABELS).map(([name, value]) => code(`${name}=${cut(value, 60)}`))
  const values = entriesAt(alert, 'values')
    .slice(0, MAX_LABELS)
    .map(([name, value]) => code(`${name}=${round(value)}`))
  const links = linked([
    ['Source', textAt(alert, 'generatorURL')],
    ['Panel', firstText(alert, 'panelURL', 'dashboardURL')],
    ['Silence', textAt(alert, 'silenceURL')],
    ['Runbook', textAt(alert, 'annotations.runbook_url')],
  ])
  const details = [...shown, ...values].join(' ')
  return lines(
    `- ${markOf(alert)} **${line(about)}**${details === '' ? '' : ` ${details}`}`,
    description !== '' && description !== about && `  ${line(description, 500)}`,
    links.length > 0 && `  ${links.join(' · ')}`,
  )
}

/** Links with these names, if they have addresses. */
const linked = (places: readonly (readonly [label: string, url: string])[]): string[] =>
  places.filter(([, url]) => address(url) !== undefined).map(([label, url]) => link(label, url))

/** Measured values have more digits than people read. */
const round = (value: string): string => {
  const number = Number(value)
  return Number.isFinite(number) ? String(Number(number.toPrecision(6))) : value
}
