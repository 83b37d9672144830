import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      reading_not_allowed: 'An owner must allow you to read content first.',
      reading_required: 'Open a reading first, with a reason.',
      reading_needs_another_owner:
        'Another owner must decide, not the one who asked or the one who allowed them to read content.',
      hold_on_all_for_owners: 'Only owners can read what a hold on the whole organization keeps.',
      reading_right_for_owners: 'Only owners decide who may read content.',
      reading_right_for_admins: 'Only an admin can be allowed to read content.',
      four_eyes_for_owners: 'Only owners can change four-eyes approval.',
      four_eyes_owner_pending: 'An invited owner must accept first, or you can withdraw the invitation.',
      four_eyes_owners_missing:
        'Four-eyes approval needs two active owners. Make someone else an owner first.',
      owners_fixed:
        'Owners cannot change while four-eyes approval is on. Switch it off first, together with another owner.',
    },
    de: {
      reading_not_allowed: 'Ein Eigentümer muss Ihnen das Lesen von Inhalten zuerst erlauben.',
      reading_required: 'Beantragen Sie zuerst Einsicht, mit einem Grund.',
      reading_needs_another_owner:
        'Ein anderer Eigentümer muss entscheiden, nicht die Person, die fragt, oder die, die ihr das Lesen erlaubt hat.',
      hold_on_all_for_owners: 'Inhalte einer Sicherung der ganzen Organisation lesen nur Eigentümer.',
      reading_right_for_owners: 'Wer Inhalte lesen darf, entscheiden nur Eigentümer.',
      reading_right_for_admins: 'Das Lesen von Inhalten kann nur Administratoren erlaubt werden.',
      four_eyes_for_owners: 'Über das Vier-Augen-Prinzip entscheiden nur Eigentümer.',
      four_eyes_owner_pending:
        'Ein eingeladener Eigentümer muss zuerst annehmen. Oder ziehen Sie die Einladung zurück.',
      four_eyes_owners_missing:
        'Das Vier-Augen-Prinzip braucht zwei aktive Eigentümer. Machen Sie zuerst eine weitere Person zum Eigentümer.',
      owners_fixed:
        'Solange das Vier-Augen-Prinzip gilt, lassen sich Eigentümer nicht ändern. Schalten Sie es zuerst zusammen mit einem anderen Eigentümer ab.',
      reading_not_found: 'Diese Einsicht gibt es nicht.',
      reading_decided: 'Über diese Einsicht ist schon entschieden.',
      reading_ended: 'Diese Einsicht ist schon beendet.',
    },
  }),
)

/** Readings: who read, or asked to read, content that they are not part of. */
export const readingTexts = texts({
  en: {
    title: 'Readings',
    about:
      'People who read content they are not part of, and why. All owners get a mail about each reading, and each page is recorded in the audit log.',
    state: 'Show',
    all: 'All readings',
    onlyWaiting: 'Waiting',
    columns: { what: 'What', reason: 'Reason', by: 'Requested by', at: 'Requested', state: 'State' },
    kinds: {
      topic: 'Messages in a topic',
      member: 'A person’s data',
      bot: 'A bot’s events and deliveries',
      hold: 'Content under a legal hold',
    },
    states: { waiting: 'Waiting for an owner', open: 'Open', refused: 'Declined', ended: 'Ended' },
    until: 'Until',
    grantedBy: (name: string) => `Approved by ${name}`,
    refusedBy: (name: string) => `Declined by ${name}`,
    grant: 'Approve',
    granted: 'Reading approved.',
    refuse: 'Decline',
    refused: 'Reading declined.',
    end: 'End',
    ended: 'Reading ended.',
    count: (count: number) => plural.en(count, { one: '1 reading', other: `${count} readings` }),
    none: { title: 'No readings', text: 'No one has read content they are not part of.' },
    ask: {
      title: (name: string) => `Read content: ${name}`,
      text: 'You are not part of this. All owners get a mail with your name and your reason, and each page you read is recorded in the audit log.',
      fourEyes: 'Four-eyes approval is on: another owner must approve first.',
      reason: 'Reason',
      noReason: 'Enter a reason.',
      action: 'Request reading',
      waits: 'Another owner must approve this. Find it under Readings.',
    },
    hidden: 'Content hidden: you are not in this topic.',
    hiddenMany: 'Content from topics you are not in is hidden.',
    show: 'Show content',
    right: {
      allow: 'Allow reading with a reason',
      allowed: (name: string) => `${name} can read content if they give a reason.`,
      forbid: 'Stop allowing reading',
      forbidden: (name: string) => `${name} can no longer read content.`,
      mark: 'Can read content',
    },
    fourEyes: {
      title: 'Four-eyes approval',
      label: 'Require a second owner’s approval',
      hint: 'Reading content you are not part of needs the approval of another owner, even for owners. While this is on, owners cannot be added or removed. It takes two owners to switch it off.',
      on: 'Reading content needs a second owner’s approval.',
      off: 'Reading content does not need a second owner’s approval.',
      others: 'Only owners can change this.',
      turnedOn: 'Four-eyes approval is on.',
      turnedOff: 'Four-eyes approval is off.',
      asked: 'All owners got a mail. It takes effect once another owner switches it off, too.',
      askedBy: (name: string) =>
        `${name} wants to switch this off. It takes effect once another owner does, too.`,
      keep: 'Keep it on',
      kept: 'Four-eyes approval stays on.',
    },
  },
  de: {
    title: 'Einsichten',
    about:
      'Wer fremde Inhalte liest, und warum. Alle Eigentümer bekommen zu jeder Einsicht eine E-Mail, und jede Seite steht im Audit-Protokoll.',
    state: 'Anzeigen',
    all: 'Alle Einsichten',
    onlyWaiting: 'Wartende',
    columns: { what: 'Was', reason: 'Grund', by: 'Von', at: 'Am', state: 'Status' },
    kinds: {
      topic: 'Nachrichten eines Themas',
      member: 'Daten einer Person',
      bot: 'Ereignisse und Zustellungen eines Bots',
      hold: 'Inhalte einer Sicherung',
    },
    states: { waiting: 'Wartet auf einen Eigentümer', open: 'Offen', refused: 'Abgelehnt', ended: 'Beendet' },
    until: 'Bis',
    grantedBy: (name) => `Erlaubt von ${name}`,
    refusedBy: (name) => `Abgelehnt von ${name}`,
    grant: 'Erlauben',
    granted: 'Die Einsicht ist offen.',
    refuse: 'Ablehnen',
    refused: 'Die Einsicht wurde abgelehnt.',
    end: 'Beenden',
    ended: 'Die Einsicht ist beendet.',
    count: (count) => plural.de(count, { one: '1 Einsicht', other: `${count} Einsichten` }),
    none: { title: 'Keine Einsichten', text: 'Niemand hat fremde Inhalte gelesen.' },
    ask: {
      title: (name) => `Inhalte lesen: ${name}`,
      text: 'Sie gehören nicht dazu. Alle Eigentümer bekommen eine E-Mail mit Ihrem Namen und Ihrem Grund, und jede gelesene Seite steht im Audit-Protokoll.',
      fourEyes: 'Es gilt das Vier-Augen-Prinzip: Ein anderer Eigentümer muss zuerst zustimmen.',
      reason: 'Grund',
      noReason: 'Geben Sie einen Grund ein.',
      action: 'Einsicht beantragen',
      waits: 'Ein anderer Eigentümer muss zustimmen. Sie finden den Antrag unter Einsichten.',
    },
    hidden: 'Inhalt ausgeblendet: Sie sind nicht in diesem Thema.',
    hiddenMany: 'Inhalte aus Themen, in denen Sie nicht sind, sind ausgeblendet.',
    show: 'Inhalt anzeigen',
    right: {
      allow: 'Lesen mit Begründung erlauben',
      allowed: (name) => `${name} darf Inhalte mit Begründung lesen.`,
      forbid: 'Lesen von Inhalten verbieten',
      forbidden: (name) => `${name} darf keine Inhalte mehr lesen.`,
      mark: 'Darf Inhalte lesen',
    },
    fourEyes: {
      title: 'Vier-Augen-Prinzip',
      label: 'Zustimmung eines zweiten Eigentümers verlangen',
      hint: 'Wer fremde Inhalte liest, braucht die Zustimmung eines anderen Eigentümers, auch als Eigentümer. Solange das gilt, können Eigentümer weder hinzukommen noch wegfallen. Zum Abschalten braucht es zwei Eigentümer.',
      on: 'Einsicht braucht die Zustimmung eines zweiten Eigentümers.',
      off: 'Einsicht braucht keine Zustimmung eines zweiten Eigentümers.',
      others: 'Das können nur Eigentümer ändern.',
      turnedOn: 'Das Vier-Augen-Prinzip ist eingeschaltet.',
      turnedOff: 'Das Vier-Augen-Prinzip ist abgeschaltet.',
      asked:
        'Alle Eigentümer haben eine E-Mail bekommen. Es wird wirksam, sobald ein anderer Eigentümer es ebenfalls abschaltet.',
      askedBy: (name) =>
        `${name} möchte das abschalten. Es wird wirksam, sobald ein anderer Eigentümer es ebenfalls tut.`,
      keep: 'Eingeschaltet lassen',
      kept: 'Das Vier-Augen-Prinzip bleibt eingeschaltet.',
    },
  },
})
