import type { FastifyInstance } from 'fastify'
import { isLocalServer, isLocalVisitor } from '../../http/local.ts'
import { escapeHtml, readPage, sendPage } from '../../http/pages.ts'
import { type OutboxMail, outboxFolder, readOutbox } from '../../mail/outbox.ts'
import type { Parley } from '../../parley.ts'

const CONTENT = '<!-- mails -->'
const LINK = /https?:\/\/[^\s<>"']+/g

/** The mails that were not sent because there is no SMTP server; for visitors on this machine only. */
export function outboxRoute(app: FastifyInstance, { config }: Pick<Parley, 'config'>): void {
  app.get('/outbox', async (request, reply) => {
    const isShown = config.smtpUrl === undefined && isLocalServer(config) && isLocalVisitor(request)
    if (!isShown) return reply.callNotFound()
    const folder = outboxFolder(config.dataDir)
    const { mails, total } = await readOutbox(folder)
    const list = mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(showMail).join('\n')
    const rest =
      total > mails.length ? `<p>The newest ${mails.length} of ${total}; all are in the folder.</p>` : ''
    const place = `<p>Kept in <code>${escapeHtml(folder)}</code>, because <code>SMTP_URL</code> is not set.</p>`
    // A function, because `$&` in a replacement text has a meaning.
    return sendPage(
      reply,
      (await readPage('outbox.html')).replace(CONTENT, () => `${place}\n${list}\n${rest}`),
    )
  })
}

function showMail({ subject, to, date, text }: OutboxMail): string {
  return `<article class="mail">
  <h2>${escapeHtml(subject)}</h2>
  <p class="quiet">To ${escapeHtml(to)}, <time>${escapeHtml(date)}</time></p>
  <div class="text">${withLinks(text.trim())}</div>
</article>`
}

function withLinks(text: string): string {
  const links = [...text.matchAll(LINK)]
  let [html, end] = ['', 0]
  for (const { 0: link, index } of links) {
    const address = escapeHtml(link)
    html += `${escapeHtml(text.slice(end, index))}<a href="${address}" rel="noreferrer">${address}</a>`
    end = index + link.length
  }
  return html + escapeHtml(text.slice(end))
}
