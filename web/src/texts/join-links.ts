import './account-errors.ts'
import { plural, texts } from './texts.ts'

export const joinLinks = texts({
  en: {
    title: 'Join links',
    back: 'Members',
    about:
      'Anybody who has such a link and reads mail of one of its domains can join, as a member. Each address is proven by a mail before.',
    make: 'Make a link',
    noMail:
      'This server sends no mail. The mails that prove an address wait in its outbox, and whoever runs the server passes each on.',
    columns: { domains: 'Domains', uses: 'Joined', ends: 'Ends', by: 'Made by' },
    copy: 'Copy link',
    uses: (uses: number, most: number | undefined) => (most === undefined ? `${uses}` : `${uses} of ${most}`),
    states: { usedUp: 'Used up', ended: 'Ended' },
    none: {
      title: 'No links',
      text: 'With a link, a whole team can join without an invitation for each of them.',
    },
    making: {
      title: 'Make a link for a domain',
      domains: 'Domains',
      domainsHint:
        'Such as example.com; several with commas between them. Addresses of subdomains do not count.',
      domainsMissing: 'Enter a domain.',
      domainsTooMany: (most: number) => `At most ${most} domains.`,
      days: 'Ends after',
      dayCount: (days: number) => plural.en(days, { one: '1 day', other: `${days} days` }),
      most: 'People at most (optional)',
      mostHint: 'Nobody more can join by it. Empty: any number.',
      mostWrong: 'Enter a whole number from 1 to 10,000.',
      action: 'Make a link',
      done: 'The link is made. Copy it and pass it on.',
    },
    revoke: {
      action: 'Revoke',
      title: (domains: string) => `Revoke the link for ${domains}?`,
      text: 'It stops working at once.',
      costs: {
        asked: 'Whoever has asked and not yet proved their address cannot join by it.',
        joined: 'Whoever has joined stays a member.',
      },
      done: 'The link was revoked.',
    },
    join: {
      title: (organization: string) => `Join ${organization}`,
      opening: 'Opening your invitation',
      about: (domains: string) =>
        `For everybody with an address of ${domains}. You get a mail to prove that the address is yours.`,
      email: 'Your e-mail address',
      action: 'Send me the mail',
      sent: {
        title: 'Look into your mail',
        text: (email: string) =>
          `A mail with a link is on its way to ${email}. Open it within 24 hours, and you are nearly in.`,
        noMail: (email: string) =>
          `This server sends no mail. Ask whoever runs it for the link that was written for ${email}.`,
        again: 'Use another address',
      },
      refused: {
        title: 'This link does not work any more',
        text: 'It has ended, was revoked, or as many people have joined as it was for. Ask the person who gave it to you for another.',
        used: 'Have you joined before? Then simply sign in.',
      },
      confirming: 'Checking your address',
    },
  },
  de: {
    title: 'Beitrittslinks',
    back: 'Mitglieder',
    about:
      'Wer einen solchen Link hat und Mails einer seiner Domains liest, kann als Mitglied beitreten. Jede Adresse wird vorher durch eine Mail bestätigt.',
    make: 'Link erstellen',
    noMail:
      'Dieser Server verschickt keine Mails. Die Mails, die eine Adresse bestätigen, warten in seinem Postausgang, und der Betreiber gibt jede weiter.',
    columns: { domains: 'Domains', uses: 'Beigetreten', ends: 'Endet', by: 'Erstellt von' },
    copy: 'Link kopieren',
    uses: (uses, most) => (most === undefined ? `${uses}` : `${uses} von ${most}`),
    states: { usedUp: 'Aufgebraucht', ended: 'Beendet' },
    none: {
      title: 'Keine Links',
      text: 'Mit einem Link kann ein ganzes Team beitreten, ohne eine Einladung für jede Person.',
    },
    making: {
      title: 'Link für eine Domain erstellen',
      domains: 'Domains',
      domainsHint: 'Wie example.com; mehrere mit Kommas dazwischen. Adressen von Subdomains zählen nicht.',
      domainsMissing: 'Geben Sie eine Domain ein.',
      domainsTooMany: (most) => `Höchstens ${most} Domains.`,
      days: 'Endet nach',
      dayCount: (days) => plural.de(days, { one: '1 Tag', other: `${days} Tagen` }),
      most: 'Personen höchstens (freiwillig)',
      mostHint: 'Mehr können nicht darüber beitreten. Leer: beliebig viele.',
      mostWrong: 'Geben Sie eine ganze Zahl von 1 bis 10.000 ein.',
      action: 'Link erstellen',
      done: 'Der Link ist erstellt. Kopieren Sie ihn und geben Sie ihn weiter.',
    },
    revoke: {
      action: 'Zurückziehen',
      title: (domains) => `Link für ${domains} zurückziehen?`,
      text: 'Er gilt sofort nicht mehr.',
      costs: {
        asked:
          'Wer angefragt und die eigene Adresse noch nicht bestätigt hat, kann nicht mehr darüber beitreten.',
        joined: 'Wer beigetreten ist, bleibt Mitglied.',
      },
      done: 'Der Link wurde zurückgezogen.',
    },
    join: {
      title: (organization) => `${organization} beitreten`,
      opening: 'Ihre Einladung wird geöffnet',
      about: (domains) =>
        `Für alle mit einer Adresse von ${domains}. Sie bekommen eine Mail, mit der Sie zeigen, dass die Adresse Ihre ist.`,
      email: 'Ihre E-Mail-Adresse',
      action: 'Mail anfordern',
      sent: {
        title: 'Sehen Sie in Ihre Mails',
        text: (email) =>
          `Eine Mail mit einem Link ist unterwegs an ${email}. Öffnen Sie ihn innerhalb von 24 Stunden, dann sind Sie fast dabei.`,
        noMail: (email) =>
          `Dieser Server verschickt keine Mails. Bitten Sie den Betreiber um den Link, der für ${email} geschrieben wurde.`,
        again: 'Andere Adresse verwenden',
      },
      refused: {
        title: 'Dieser Link gilt nicht mehr',
        text: 'Er ist beendet, wurde zurückgezogen, oder es sind so viele beigetreten, wie vorgesehen waren. Bitten Sie die Person, die ihn Ihnen gegeben hat, um einen neuen.',
        used: 'Sind Sie schon beigetreten? Dann melden Sie sich einfach an.',
      },
      confirming: 'Ihre Adresse wird geprüft',
    },
  },
})
