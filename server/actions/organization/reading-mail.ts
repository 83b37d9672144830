import type { Reading } from '../../../contract/people/readings.ts'
import type { Transaction } from '../../db/transaction.ts'
import { asIs, mailWords } from '../../mail/words.ts'
import type { Parley } from '../../parley.ts'
import type { ReadingRow } from '../../queries/organization/readings.ts'
import { mailOwners } from './owner-mail.ts'

type SubjectType = Reading['subject']['type']

const WHAT: Record<'en' | 'de', Record<SubjectType, string>> = {
  en: {
    topic: 'messages in the topic',
    member: 'the data of',
    bot: 'events and deliveries of the bot',
    hold: 'content under a legal hold on',
  },
  de: {
    topic: 'Nachrichten des Themas',
    member: 'die Daten von',
    bot: 'Ereignisse und Zustellungen des Bots',
    hold: 'Inhalte einer Sicherung von',
  },
}

/** Mails all owners that a member reads, or wants to read, content that they are not part of. */
export function mailReading(
  tx: Transaction,
  parley: Pick<Parley, 'secrets' | 'config'>,
  { subjectType, subjectName, reason, askedName, endsAt }: ReadingRow,
  state: 'waiting' | 'open',
): Promise<void> {
  const until = asIs(`${new Date(endsAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`)
  const link = asIs(`${parley.config.baseUrl}/console/${tx.orgId}/readings`)
  const isWaiting = state === 'waiting'
  return mailOwners(tx, parley, (organization) => ({
    en: {
      subject: isWaiting
        ? mailWords`${askedName} asks to read content of ${organization}`
        : mailWords`${askedName} can read content of ${organization}`,
      text: mailWords`${askedName} ${asIs(isWaiting ? 'asks to read' : 'can read')} ${asIs(WHAT.en[subjectType])} ${subjectName} in ${organization}.

Reason: ${reason}

${asIs(isWaiting ? 'Another owner must approve this by' : 'Each page is recorded in the audit log. An owner can end this before it expires at')} ${until}:
${link}
`,
    },
    de: {
      subject: isWaiting
        ? mailWords`${askedName} möchte Inhalte von ${organization} lesen`
        : mailWords`${askedName} kann Inhalte von ${organization} lesen`,
      text: mailWords`${askedName} ${asIs(isWaiting ? 'möchte' : 'kann')} ${asIs(WHAT.de[subjectType])} ${subjectName} in ${organization} lesen.

Grund: ${reason}

${asIs(isWaiting ? 'Ein anderer Eigentümer muss zustimmen bis' : 'Jede Seite steht im Audit-Protokoll. Ein Eigentümer kann die Einsicht beenden, bevor sie endet um')} ${until}:
${link}
`,
    },
  }))
}
