import { addSentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'an owner must allow you to read content first': 'An owner must allow you to read content first.',
      'open a reading first, with a reason': 'Open a reading first, with a reason.',
      'another owner must decide':
        'Another owner must decide: neither who asks nor who allowed them to read content.',
      'only owners read what a hold on the whole organization keeps':
        'Only owners can read what a hold on the whole organization keeps.',
      'only owners decide who may read content': 'Only owners decide who may read content.',
      'only an admin can be allowed to read content': 'Only an admin can be allowed to read content.',
      'only owners decide on four eyes': 'Only owners decide on four eyes.',
      'an invited owner must accept, or be withdrawn, first':
        'An invited owner must accept first. Or withdraw the invitation.',
      'four eyes need two active owners':
        'Four eyes need two active owners. Make somebody else an owner first.',
      'owners stay as they are while four eyes are set':
        'Owners stay as they are while four eyes are set. Switch that off first, together with another owner.',
    },
    de: {
      'an owner must allow you to read content first':
        'Ein Eigentümer muss Ihnen das Lesen von Inhalten zuerst erlauben.',
      'open a reading first, with a reason': 'Beantragen Sie zuerst Einsicht, mit einem Grund.',
      'another owner must decide':
        'Ein anderer Eigentümer muss entscheiden: weder wer fragt, noch wer das Lesen von Inhalten erlaubt hat.',
      'only owners read what a hold on the whole organization keeps':
        'Inhalte einer Sicherung der ganzen Organisation lesen nur Eigentümer.',
      'only owners decide who may read content': 'Wer Inhalte lesen darf, entscheiden nur Eigentümer.',
      'only an admin can be allowed to read content':
        'Das Lesen von Inhalten kann nur Administratoren erlaubt werden.',
      'only owners decide on four eyes': 'Über das Vier-Augen-Prinzip entscheiden nur Eigentümer.',
      'an invited owner must accept, or be withdrawn, first':
        'Ein eingeladener Eigentümer muss zuerst annehmen. Oder ziehen Sie die Einladung zurück.',
      'four eyes need two active owners':
        'Für das Vier-Augen-Prinzip braucht es zwei aktive Eigentümer. Machen Sie zuerst jemanden dazu.',
      'owners stay as they are while four eyes are set':
        'Solange das Vier-Augen-Prinzip gilt, bleiben die Eigentümer, wie sie sind. Schalten Sie es zuerst mit einem anderen Eigentümer ab.',
      'Reading not found': 'Diese Einsicht gibt es nicht.',
      'the reading is decided already': 'Über diese Einsicht ist schon entschieden.',
      'the reading has ended already': 'Diese Einsicht ist schon beendet.',
    },
  }),
)

/** Readings: who read, or asked to read, content that they are not part of. */
export const readingTexts = texts({
  en: {
    title: 'Readings',
    about:
      'Who reads content that they are not part of, and why. All owners get a mail of each, and each page is in the audit log.',
    state: 'Show',
    all: 'All readings',
    onlyWaiting: 'Waiting',
    columns: { what: 'What', reason: 'Reason', by: 'Asked by', at: 'Asked', state: 'State' },
    kinds: {
      topic: 'Messages of a topic',
      member: 'Data of a person',
      bot: 'Events and deliveries of a bot',
      hold: 'What a legal hold keeps',
    },
    states: { waiting: 'Waits for an owner', open: 'Open', refused: 'Refused', ended: 'Ended' },
    until: 'Until',
    grantedBy: (name: string) => `Granted by ${name}`,
    refusedBy: (name: string) => `Refused by ${name}`,
    grant: 'Grant',
    granted: 'The reading is open.',
    refuse: 'Refuse',
    refused: 'The reading was refused.',
    end: 'End',
    ended: 'The reading has ended.',
    count: (count: number) => plural.en(count, { one: '1 reading', other: `${count} readings` }),
    none: { title: 'No readings', text: 'Nobody has read content that they are not part of.' },
    ask: {
      title: (name: string) => `Read content: ${name}`,
      text: 'You are not part of this. All owners get a mail with your name and your reason, and each page you read is in the audit log.',
      fourEyes: 'Four eyes are set: another owner must allow it first.',
      reason: 'Reason',
      noReason: 'Enter a reason.',
      action: 'Open a reading',
      waits: 'Another owner must allow it now. You find it under Readings.',
    },
    hidden: 'You are not in the topic that this tells of, so its content is hidden.',
    hiddenMany: 'Content from topics that you are not in is hidden.',
    show: 'Show the content',
    right: {
      allow: 'Allow reading with a reason',
      allowed: (name: string) => `${name} may read content with a reason.`,
      forbid: 'Forbid reading content',
      forbidden: (name: string) => `${name} may no longer read content.`,
      mark: 'May read content',
    },
    fourEyes: {
      title: 'Four eyes',
      label: 'A reading waits for a second owner',
      hint: 'Whoever reads content that they are not part of needs the yes of another owner, owners too. While this is on, nobody becomes an owner or stops being one. It takes two owners to switch it off.',
      on: 'A reading of content waits for a second owner.',
      off: 'A reading of content does not wait for a second owner.',
      others: 'Only owners can change this.',
      turnedOn: 'A reading now waits for a second owner.',
      turnedOff: 'A reading no longer waits for a second owner.',
      asked: 'All owners got a mail. It counts once another owner switches it off too.',
      askedBy: (name: string) => `${name} asks to switch this off. It counts once another owner does too.`,
      keep: 'Keep it on',
      kept: 'It stays on.',
    },
  },
  de: {
    title: 'Einsichten',
    about:
      'Wer Inhalte liest, zu denen er nicht gehört, und warum. Alle Eigentümer bekommen davon eine E-Mail, und jede Seite steht im Änderungsprotokoll.',
    state: 'Zeigen',
    all: 'Alle Einsichten',
    onlyWaiting: 'Wartende',
    columns: { what: 'Was', reason: 'Grund', by: 'Von', at: 'Am', state: 'Zustand' },
    kinds: {
      topic: 'Nachrichten eines Themas',
      member: 'Daten einer Person',
      bot: 'Ereignisse und Zustellungen eines Bots',
      hold: 'Inhalte einer Sicherung',
    },
    states: { waiting: 'Wartet auf Eigentümer', open: 'Offen', refused: 'Abgelehnt', ended: 'Beendet' },
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
    none: { title: 'Keine Einsichten', text: 'Niemand hat Inhalte gelesen, zu denen er nicht gehört.' },
    ask: {
      title: (name) => `Inhalte lesen: ${name}`,
      text: 'Sie gehören nicht dazu. Alle Eigentümer bekommen eine E-Mail mit Ihrem Namen und Ihrem Grund, und jede gelesene Seite steht im Änderungsprotokoll.',
      fourEyes: 'Es gilt das Vier-Augen-Prinzip: ein anderer Eigentümer muss es zuerst erlauben.',
      reason: 'Grund',
      noReason: 'Geben Sie einen Grund ein.',
      action: 'Einsicht öffnen',
      waits: 'Nun muss es ein anderer Eigentümer erlauben. Sie finden es unter Einsichten.',
    },
    hidden: 'Sie sind nicht in dem Thema, von dem dies erzählt; sein Inhalt ist deshalb verborgen.',
    hiddenMany: 'Inhalte aus Themen, in denen Sie nicht sind, sind verborgen.',
    show: 'Inhalt zeigen',
    right: {
      allow: 'Lesen mit Grund erlauben',
      allowed: (name) => `${name} darf Inhalte mit einem Grund lesen.`,
      forbid: 'Lesen von Inhalten verbieten',
      forbidden: (name) => `${name} darf keine Inhalte mehr lesen.`,
      mark: 'Darf Inhalte lesen',
    },
    fourEyes: {
      title: 'Vier-Augen-Prinzip',
      label: 'Eine Einsicht wartet auf einen zweiten Eigentümer',
      hint: 'Wer Inhalte liest, zu denen er nicht gehört, braucht das Ja eines anderen Eigentümers, auch Eigentümer selbst. Solange das gilt, wird niemand Eigentümer und niemand hört auf, es zu sein. Zum Abschalten braucht es zwei Eigentümer.',
      on: 'Eine Einsicht wartet auf einen zweiten Eigentümer.',
      off: 'Eine Einsicht wartet nicht auf einen zweiten Eigentümer.',
      others: 'Das können nur Eigentümer ändern.',
      turnedOn: 'Eine Einsicht wartet nun auf einen zweiten Eigentümer.',
      turnedOff: 'Eine Einsicht wartet nicht mehr auf einen zweiten Eigentümer.',
      asked:
        'Alle Eigentümer bekamen eine E-Mail. Es gilt, sobald ein anderer Eigentümer es auch abschaltet.',
      askedBy: (name) => `${name} möchte das abschalten. Es gilt, sobald ein anderer Eigentümer es auch tut.`,
      keep: 'Eingeschaltet lassen',
      kept: 'Es bleibt eingeschaltet.',
    },
  },
})
