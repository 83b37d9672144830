import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { endMissedMails } from '../../actions/members/notification-settings.ts'
import { languageOf, type PageLanguage } from '../../http/language.ts'
import { readPage, sendPage } from '../../http/pages.ts'
import { readUnsubscribeToken } from '../../notify/unsubscribe-link.ts'
import type { Parley } from '../../parley.ts'

type Request = FastifyRequest<{ Params: { token: string } }>

const TEXTS: Record<PageLanguage, Record<'title' | 'about' | 'action' | 'done' | 'doneAbout', string>> = {
  en: {
    title: 'Mail about missed messages',
    about: 'Stop getting mail about messages you have not read?',
    action: 'Unsubscribe',
    done: 'Unsubscribed',
    doneAbout:
      'You will no longer get mail about messages you have not read. You can switch it on again in your notification settings.',
  },
  de: {
    title: 'E-Mails über verpasste Nachrichten',
    about: 'Keine E-Mails mehr über ungelesene Nachrichten bekommen?',
    action: 'Abbestellen',
    done: 'Abbestellt',
    doneAbout:
      'Sie bekommen keine E-Mails mehr über ungelesene Nachrichten. In den Einstellungen für Benachrichtigungen können Sie sie wieder einschalten.',
  },
  fr: {
    title: 'E-mails sur les messages manqués',
    about: 'Ne plus recevoir d’e-mails sur les messages non lus ?',
    action: 'Se désabonner',
    done: 'Désabonné',
    doneAbout:
      'Vous ne recevrez plus d’e-mails sur les messages non lus. Vous pouvez les réactiver dans vos paramètres de notification.',
  },
  es: {
    title: 'Correos sobre mensajes perdidos',
    about: '¿Dejar de recibir correos sobre mensajes sin leer?',
    action: 'Cancelar suscripción',
    done: 'Suscripción cancelada',
    doneAbout:
      'Ya no recibirás correos sobre mensajes sin leer. Puedes volver a activarlos en tus ajustes de notificaciones.',
  },
}

/**
 * Ends the mail about missed messages from the link in it, without signing in. Looking at it changes nothing, since programs
 * that check mail for harm open every link; the button does, and so do mail programs with one click (RFC 8058).
 */
export function unsubscribeRoutes(
  app: FastifyInstance,
  { db, secrets }: Pick<Parley, 'db' | 'secrets'>,
): void {
  app.get('/unsubscribe/:token', async (request: Request, reply) => {
    if (!readUnsubscribeToken(secrets, request.params.token)) return reply.callNotFound()
    const { title, about, action } = TEXTS[languageOf(request)]
    return show(
      request,
      reply,
      title,
      `<p>${about}</p>\n<form method="post"><button>${action}</button></form>`,
    )
  })

  app.post('/unsubscribe/:token', async (request: Request, reply) => {
    const whose = readUnsubscribeToken(secrets, request.params.token)
    if (!whose) return reply.callNotFound()
    await endMissedMails(db, whose)
    const { done, doneAbout } = TEXTS[languageOf(request)]
    return show(request, reply, done, `<p>${doneAbout}</p>`)
  })
}

async function show(request: Request, reply: FastifyReply, title: string, content: string) {
  const page = await readPage('unsubscribe.html')
  return sendPage(
    reply,
    page
      .replace('lang="en"', `lang="${languageOf(request)}"`)
      .replaceAll('{title}', title)
      .replace('<!-- content -->', content),
  )
}
