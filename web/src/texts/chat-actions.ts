import { texts } from './texts.ts'

/** Buttons, choices and forms of bots, under their messages. */
export const actionTexts = texts({
  en: {
    answerTo: (name: string) => `Answer ${name}`,
    choose: 'Choose',
    pick: 'Choose …',
    send: 'Send',
    optional: (label: string) => `${label} (optional)`,
    missing: 'Required.',
    noNumber: 'Enter a number, such as 2.5.',
    range: (min: number | undefined, max: number | undefined) =>
      min === undefined
        ? `At most ${max}.`
        : max === undefined
          ? `At least ${min}.`
          : `From ${min} to ${max}.`,
    pickPerson: 'Name of a person',
    pickTopic: 'Name of a topic',
    discardTitle: 'Discard what you entered?',
    discardText: 'The form was not sent. What you entered will be lost.',
    discard: 'Discard',
    onlyBot: (name: string) => `Only ${name} can see what you enter here.`,
    alsoAudit: (name: string) =>
      `${name} can see what you enter here. Because it is an approval, it is also recorded in your organization’s audit log.`,
    answered: (name: string, answer: string) => `${name}: ${answer}`,
    doneBy: (done: string, name: string) => `${done} by ${name}`,
    doneByYou: (done: string) => `${done} by you`,
    more: (count: number) => `and ${count} more`,
    waitingForAnyone: 'Waiting for an answer.',
    waitingForAdmins: 'Waiting for an admin.',
    waitingForOwners: 'Waiting for an owner.',
    waitingForPeople: (names: string) => `Waiting for ${names}.`,
    you: 'you',
    otherwiseAt: (answer: string, when: string) => `Without an answer by ${when}: ${answer}`,
    until: (when: string) => `Open until ${when}.`,
    endedAt: (when: string) => `Closed ${when}.`,
    onlyAdmins: 'Only admins can answer.',
    onlyOwners: 'Only owners can answer.',
    onlyPeople: (names: string) => `Only ${names} can answer.`,
    quorum: (count: number) => `Needs the same answer from ${count} people.`,
    decided: (answer: string) => `Decided: ${answer}`,
    expired: 'Closed without an answer.',
    expiredWith: (answer: string) => `Closed without an answer. This counts: ${answer}`,
    withdrawn: 'This question was withdrawn.',
    onlyYou: 'Only visible to you:',
    privately: (name: string) => `${name}, only visible to you`,
  },
  de: {
    answerTo: (name) => `${name} antworten`,
    choose: 'Auswählen',
    pick: 'Auswählen …',
    send: 'Senden',
    optional: (label) => `${label} (optional)`,
    missing: 'Pflichtfeld.',
    noNumber: 'Geben Sie eine Zahl ein, zum Beispiel 2,5.',
    range: (min, max) =>
      min === undefined
        ? `Höchstens ${max}.`
        : max === undefined
          ? `Mindestens ${min}.`
          : `Von ${min} bis ${max}.`,
    pickPerson: 'Name einer Person',
    pickTopic: 'Name eines Themas',
    discardTitle: 'Eingaben verwerfen?',
    discardText: 'Das Formular wurde nicht gesendet. Ihre Eingaben gehen verloren.',
    discard: 'Verwerfen',
    onlyBot: (name) => `Nur ${name} sieht, was Sie hier eingeben.`,
    alsoAudit: (name) =>
      `${name} sieht, was Sie hier eingeben. Da es eine Freigabe ist, steht es auch im Audit-Protokoll Ihrer Organisation.`,
    answered: (name, answer) => `${name}: ${answer}`,
    doneBy: (done, name) => `${done} von ${name}`,
    doneByYou: (done) => `${done} von Ihnen`,
    more: (count) => `und ${count} weitere`,
    waitingForAnyone: 'Wartet auf eine Antwort.',
    waitingForAdmins: 'Wartet auf einen Admin.',
    waitingForOwners: 'Wartet auf einen Eigentümer.',
    waitingForPeople: (names) => `Wartet auf ${names}.`,
    you: 'Sie',
    otherwiseAt: (answer, when) => `Ohne Antwort bis ${when}: ${answer}`,
    until: (when) => `Offen bis ${when}.`,
    endedAt: (when) => `Beendet ${when}.`,
    onlyAdmins: 'Nur Admins können antworten.',
    onlyOwners: 'Nur Eigentümer können antworten.',
    onlyPeople: (names) => `Nur ${names} können antworten.`,
    quorum: (count) => `Dafür müssen ${count} Personen dasselbe antworten.`,
    decided: (answer) => `Entschieden: ${answer}`,
    expired: 'Ohne Antwort beendet.',
    expiredWith: (answer) => `Ohne Antwort beendet. Es gilt: ${answer}`,
    withdrawn: 'Diese Frage wurde zurückgezogen.',
    onlyYou: 'Nur für Sie sichtbar:',
    privately: (name) => `${name}, nur für Sie sichtbar`,
  },
})
