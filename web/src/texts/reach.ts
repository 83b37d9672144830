import type { Reach } from '../../../contract/reach.ts'
import { texts } from './texts.ts'

/** Texts for the messages that a bot hears in a topic. */
export const reach = texts({
  en: {
    label: 'What bots hear here',
    labelOf: (name: string) => `What ${name} hears here`,
    names: {
      everything: 'Everything',
      threads: 'Mentions and its threads',
      mentions: 'Only mentions',
      commands: 'Only commands',
    } satisfies Record<Reach, string>,
    hears: {
      everything: 'Hears every message here',
      threads: 'Hears messages that mention it, and replies in threads that it wrote in',
      mentions: 'Hears only messages that mention it',
      commands: 'Hears only its commands',
    } satisfies Record<Reach, string>,
    byWebhook: 'by webhook',
    byPolling: 'by polling',
    changed: (name: string) => `Saved what ${name} hears here.`,
  },
  de: {
    label: 'Was Bots hier hören',
    labelOf: (name: string) => `Was ${name} hier hört`,
    names: {
      everything: 'Alles',
      threads: 'Erwähnungen und eigene Threads',
      mentions: 'Nur Erwähnungen',
      commands: 'Nur Befehle',
    },
    hears: {
      everything: 'Hört jede Nachricht hier',
      threads: 'Hört Nachrichten, die ihn erwähnen, und Antworten in Threads, in denen er geschrieben hat',
      mentions: 'Hört nur Nachrichten, die ihn erwähnen',
      commands: 'Hört nur seine Befehle',
    },
    byWebhook: 'per Webhook',
    byPolling: 'per Polling',
    changed: (name: string) => `Gespeichert, was ${name} hier hört.`,
  },
  fr: {
    label: 'Ce que les bots entendent ici',
    labelOf: (name) => `Ce que ${name} entend ici`,
    names: {
      everything: 'Tout',
      threads: 'Mentions et ses fils',
      mentions: 'Mentions uniquement',
      commands: 'Commandes uniquement',
    } satisfies Record<Reach, string>,
    hears: {
      everything: 'Entend tous les messages d’ici',
      threads: 'Entend les messages qui le mentionnent et les réponses dans les fils où il a écrit',
      mentions: 'N’entend que les messages qui le mentionnent',
      commands: 'N’entend que ses commandes',
    } satisfies Record<Reach, string>,
    byWebhook: 'par webhook',
    byPolling: 'par interrogation',
    changed: (name) => `Ce que ${name} entend ici est enregistré.`,
  },
  es: {
    label: 'Lo que escuchan los bots aquí',
    labelOf: (name) => `Lo que ${name} escucha aquí`,
    names: {
      everything: 'Todo',
      threads: 'Menciones y sus hilos',
      mentions: 'Solo menciones',
      commands: 'Solo comandos',
    } satisfies Record<Reach, string>,
    hears: {
      everything: 'Escucha todos los mensajes de aquí',
      threads: 'Escucha los mensajes que lo mencionan y las respuestas en hilos en los que escribió',
      mentions: 'Escucha solo los mensajes que lo mencionan',
      commands: 'Escucha solo sus comandos',
    } satisfies Record<Reach, string>,
    byWebhook: 'por webhook',
    byPolling: 'por sondeo',
    changed: (name) => `Se guardó lo que ${name} escucha aquí.`,
  },
})
