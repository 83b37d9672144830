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
    onlyBot: (name: string) => `Only ${name} can see what you enter here.`,
    alsoAudit: (name: string) =>
      `${name} can see what you enter here. Because it is an approval, it is also recorded in your organization’s audit log.`,
    answered: (name: string, answer: string) => `${name}: ${answer}`,
    more: (count: number) => `and ${count} more`,
    until: (when: string) => `Open until ${when}`,
    endedAt: (when: string) => `Closed ${when}`,
    onlyAdmins: 'Only admins can answer.',
    onlyOwners: 'Only owners can answer.',
    onlyPeople: (names: string) => `Only ${names} can answer.`,
    onlyYou: 'Only visible to you:',
  },
  de: {
    answerTo: (name) => `${name} antworten`,
    choose: 'Auswählen',
    pick: 'Auswählen …',
    send: 'Senden',
    optional: (label) => `${label} (optional)`,
    missing: 'Pflichtfeld.',
    noNumber: 'Geben Sie eine Zahl ein, zum Beispiel 2.5.',
    onlyBot: (name) => `Nur ${name} sieht, was Sie hier eingeben.`,
    alsoAudit: (name) =>
      `${name} sieht, was Sie hier eingeben. Da es eine Freigabe ist, steht es auch im Audit-Protokoll Ihrer Organisation.`,
    answered: (name, answer) => `${name}: ${answer}`,
    more: (count) => `und ${count} weitere`,
    until: (when) => `Offen bis ${when}`,
    endedAt: (when) => `Beendet ${when}`,
    onlyAdmins: 'Nur Admins können antworten.',
    onlyOwners: 'Nur Eigentümer können antworten.',
    onlyPeople: (names) => `Nur ${names} können antworten.`,
    onlyYou: 'Nur für Sie sichtbar:',
  },
})
