import { texts } from './texts.ts'

/** Buttons, choices and forms of bots, under their messages. */
export const actionTexts = texts({
  en: {
    answerTo: (name: string) => `Answer ${name}`,
    choose: 'Choose',
    pick: 'Choose …',
    send: 'Send',
    optional: (label: string) => `${label} (optional)`,
    missing: 'Fill this in.',
    noNumber: 'Enter a number, such as 2.5.',
    onlyBot: (name: string) => `Only ${name} gets what you write here.`,
    alsoAudit: (name: string) =>
      `${name} gets what you write here. It is an approval, so the audit log of your organization has it too.`,
    answered: (name: string, answer: string) => `${name}: ${answer}`,
    more: (count: number) => `and ${count} more`,
    until: (when: string) => `Open until ${when}`,
    endedAt: (when: string) => `Closed ${when}`,
    onlyAdmins: 'Only admins can answer.',
    onlyOwners: 'Only owners can answer.',
    onlyPeople: (names: string) => `Only ${names} can answer.`,
    onlyYou: 'Only you can see this:',
  },
  de: {
    answerTo: (name) => `${name} antworten`,
    choose: 'Auswählen',
    pick: 'Auswählen …',
    send: 'Senden',
    optional: (label) => `${label} (optional)`,
    missing: 'Bitte ausfüllen.',
    noNumber: 'Bitte eine Zahl eingeben, zum Beispiel 2.5.',
    onlyBot: (name) => `Was Sie hier schreiben, bekommt nur ${name}.`,
    alsoAudit: (name) =>
      `Was Sie hier schreiben, bekommt ${name}. Es ist eine Freigabe, deshalb steht es auch im Änderungsprotokoll Ihrer Organisation.`,
    answered: (name, answer) => `${name}: ${answer}`,
    more: (count) => `und ${count} weitere`,
    until: (when) => `Offen bis ${when}`,
    endedAt: (when) => `Beendet ${when}`,
    onlyAdmins: 'Hier antworten nur Admins.',
    onlyOwners: 'Hier antworten nur Inhaber.',
    onlyPeople: (names) => `Hier antworten nur ${names}.`,
    onlyYou: 'Nur für Sie sichtbar:',
  },
})
