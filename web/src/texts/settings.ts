import { addSentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'blockedWords must have letters or digits, and no signs but hyphens and apostrophes':
        'Ein Wort besteht aus Buchstaben und Ziffern, auch mit Bindestrich oder Apostroph.',
    },
  }),
)

export const settings = texts({
  en: {
    title: 'Settings',
    about: 'How your organization looks and what it allows.',
    name: {
      title: 'Name',
      label: 'Name of the organization',
      missing: 'Please give your organization a name.',
      save: 'Save name',
      saved: 'The name was changed.',
    },
    logo: {
      title: 'Logo',
      about:
        'Shown wherever your organization appears. A JPEG or PNG picture of at most 5 MB; square looks best.',
      current: 'The logo of your organization',
      none: 'There is no logo yet.',
      choose: 'Choose a picture',
      remove: 'Remove logo',
      saved: 'The logo was changed.',
      removed: 'The logo was removed.',
      tooLarge: 'This picture is larger than 5 MB. Choose a smaller one.',
    },
    rate: {
      title: 'Rate limit',
      about:
        'How many requests all your bots together may make each minute. It keeps a bot that runs wild from slowing down the others.',
      legend: 'Requests a minute',
      server: 'Use the server’s limit',
      serverHint: (limit: string) => `${limit} requests a minute at the moment.`,
      serverNone: 'No limit at the moment.',
      own: 'Set your own limit',
      ownLabel: 'Requests a minute',
      ownHint: (most: string) => `At most ${most}. Only the operator of this server can allow more.`,
      invalid: (most: string) => `Please enter a whole number from 1 to ${most}.`,
      save: 'Save rate limit',
      saved: 'The rate limit was changed.',
    },
    retention: {
      title: 'How long events are kept',
      about:
        'Bots that were away catch up on what they missed for this long. Messages are not affected: Records has the time that they are kept.',
      legend: 'Keep events and deliveries',
      server: 'Use the server’s setting',
      serverHint: (days: string) => `${days} at the moment.`,
      own: 'Set your own time',
      ownLabel: 'Days',
      ownHint: (most: string) => `At most ${most}. Only the operator of this server can allow more.`,
      days: (days: number, shown: string) => plural.en(days, { one: '1 day', other: `${shown} days` }),
      invalid: (most: string) => `Please enter a number of days from 0.01 to ${most}.`,
      save: 'Save how long events are kept',
      losing: {
        title: 'Drop what bots have not received?',
        text: (parts: string) =>
          `With this time, ${parts} would be removed now and never reach their bots. This cannot be undone.`,
        deliveries: (count: number, shown: string) =>
          plural.en(count, {
            one: '1 delivery that waits for a webhook',
            other: `${shown} deliveries that wait for a webhook`,
          }),
        updates: (count: number, shown: string) =>
          plural.en(count, {
            one: '1 update that has not been polled',
            other: `${shown} updates that have not been polled`,
          }),
        atLeast: (shown: string) => `${shown} or more`,
        and: ' and ',
        action: 'Drop them and save',
      },
      saved: 'The time was changed.',
    },
    secondFactor: {
      title: 'Second factor',
      label: 'Everybody needs a second factor',
      hint: 'A password alone no longer opens this organization. Members without a second factor set one up when they next sign in: an authenticator app or a passkey. Single sign-on counts; what your provider asks for is up to it.',
      on: 'Everybody needs a second factor.',
      off: 'Members choose for themselves whether to use a second factor.',
      others: 'Owners decide on this.',
      turnedOn: 'Everybody needs a second factor from now on.',
      turnedOff: 'A second factor is up to each member again.',
    },
    assistants: {
      title: 'Assistants of members',
      label: 'Members may connect their own assistants',
      hint: 'An assistant reads and writes what its person can, as far as they allow it, and everything that it does is in the audit log. Switching this off disconnects all of them at once.',
      turnedOn: 'Members may connect assistants now.',
      turnedOff: 'All assistants were disconnected.',
    },
    memberAssistants: {
      title: 'Connected assistants',
      about:
        'Programs that act for members, with what each member allowed them. The audit log has what they did.',
      none: 'No member has connected an assistant.',
      actsFor: (member: string, host: string) => `For ${member} · ${host}`,
      more: 'Show more',
      confirm: {
        title: (name: string, member: string) => `Disconnect ${name} of ${member}?`,
        text: 'It loses access at once. The member can connect it again, as long as members may connect assistants.',
      },
    },
    previews: {
      title: 'Link previews',
      label: 'Show what links lead to',
      hint: 'The server fetches the page behind the first link of a message and shows its title, a few words and a picture. The page learns that somebody here linked to it, and nothing of who reads it.',
      on: 'Links are shown with a preview.',
      off: 'Links are shown without a preview.',
      others: 'Whoever runs this server has switched previews off.',
      turnedOn: 'New messages show what their links lead to.',
      turnedOff: 'New messages show no previews.',
    },
    presence: {
      title: 'Presence and status',
      label: 'People see who is there',
      hint: 'Who is active, away or not to be disturbed, who is writing, which bot is working, and what people say they are at. Off: nothing of it is sent or shown, and do not disturb silences nothing.',
      on: 'People see who is there and what they are at.',
      off: 'Nobody sees who is there or what they are at.',
      others: 'Admins decide on this.',
      turnedOn: 'People see who is there from now on.',
      turnedOff: 'Nobody sees who is there any longer.',
    },
    words: {
      title: 'Blocked words',
      about:
        'Neither people nor bots can send or edit a message, a task or a poll so that it has one of these words. Nothing is blocked while the list is empty.',
      label: 'Words, one on each line',
      hint: 'Whole words are compared, whatever their case. A line of several words counts where they follow each other.',
      count: (count: number) => plural.en(count, { one: '1 word', other: `${count} words` }),
      tooMany: (most: number) => `There can be ${most} at most.`,
      tooLong: (most: number) => `A line can have ${most} characters at most.`,
      save: 'Save blocked words',
      saved: 'The blocked words were changed.',
    },
    agents: {
      title: 'Agent sign-up',
      label: 'AI agents may create organizations of their own on this server',
      hint: 'An agent that finds this server signs itself up and gets an organization apart from yours. It sees nothing of what is here.',
      on: 'AI agents may create organizations on this server.',
      off: 'AI agents may not create organizations on this server.',
      others: 'Owners of the home organization of this server decide on this.',
      turnedOn: 'AI agents may sign up now.',
      turnedOff: 'AI agents can no longer sign up.',
    },
  },
  de: {
    title: 'Einstellungen',
    about: 'Wie Ihre Organisation aussieht und was sie erlaubt.',
    name: {
      title: 'Name',
      label: 'Name der Organisation',
      missing: 'Bitte geben Sie Ihrer Organisation einen Namen.',
      save: 'Namen speichern',
      saved: 'Der Name wurde geändert.',
    },
    logo: {
      title: 'Logo',
      about:
        'Zu sehen, wo immer Ihre Organisation erscheint. Ein JPEG- oder PNG-Bild mit höchstens 5 MB; quadratisch sieht es am besten aus.',
      current: 'Das Logo Ihrer Organisation',
      none: 'Noch gibt es kein Logo.',
      choose: 'Bild auswählen',
      remove: 'Logo entfernen',
      saved: 'Das Logo wurde geändert.',
      removed: 'Das Logo wurde entfernt.',
      tooLarge: 'Dieses Bild ist größer als 5 MB. Wählen Sie ein kleineres.',
    },
    rate: {
      title: 'Anfragelimit',
      about:
        'Wie viele Anfragen alle Ihre Bots zusammen je Minute stellen dürfen. So bremst ein Bot, der außer Rand und Band ist, die anderen nicht aus.',
      legend: 'Anfragen je Minute',
      server: 'Das Limit des Servers verwenden',
      serverHint: (limit) => `Zurzeit ${limit} Anfragen je Minute.`,
      serverNone: 'Zurzeit kein Limit.',
      own: 'Ein eigenes Limit festlegen',
      ownLabel: 'Anfragen je Minute',
      ownHint: (most) => `Höchstens ${most}. Mehr kann nur der Betreiber dieses Servers erlauben.`,
      invalid: (most) => `Bitte geben Sie eine ganze Zahl von 1 bis ${most} ein.`,
      save: 'Anfragelimit speichern',
      saved: 'Das Anfragelimit wurde geändert.',
    },
    retention: {
      title: 'Wie lange Ereignisse aufgehoben werden',
      about:
        'So lange können Bots nachholen, was sie verpasst haben. Nachrichten betrifft das nicht: Wie lange sie bleiben, steht unter Aufbewahrung.',
      legend: 'Ereignisse und Zustellungen aufheben',
      server: 'Die Einstellung des Servers verwenden',
      serverHint: (days) => `Zurzeit ${days}.`,
      own: 'Eine eigene Dauer festlegen',
      ownLabel: 'Tage',
      ownHint: (most) => `Höchstens ${most}. Mehr kann nur der Betreiber dieses Servers erlauben.`,
      days: (days, shown) => plural.de(days, { one: '1 Tag', other: `${shown} Tage` }),
      invalid: (most) => `Bitte geben Sie eine Zahl von Tagen zwischen 0,01 und ${most} ein.`,
      save: 'Dauer speichern',
      losing: {
        title: 'Verwerfen, was Bots noch nicht empfangen haben?',
        text: (parts) =>
          `Mit dieser Dauer würden ${parts} jetzt gelöscht und ihre Bots nie erreichen. Das lässt sich nicht rückgängig machen.`,
        deliveries: (count, shown) =>
          plural.de(count, {
            one: '1 Zustellung, die auf einen Webhook wartet,',
            other: `${shown} Zustellungen, die auf einen Webhook warten,`,
          }),
        updates: (count, shown) =>
          plural.de(count, {
            one: '1 Ereignis, das noch nicht abgeholt ist,',
            other: `${shown} Ereignisse, die noch nicht abgeholt sind,`,
          }),
        atLeast: (shown) => `${shown} oder mehr`,
        and: ' und ',
        action: 'Verwerfen und speichern',
      },
      saved: 'Die Dauer wurde geändert.',
    },
    secondFactor: {
      title: 'Zweiter Faktor',
      label: 'Alle brauchen einen zweiten Faktor',
      hint: 'Ein Passwort allein öffnet diese Organisation nicht mehr. Mitglieder ohne zweiten Faktor richten bei der nächsten Anmeldung einen ein: eine Authenticator-App oder einen Passkey. Die Anmeldung über Ihren Anbieter zählt; was er verlangt, ist seine Sache.',
      on: 'Alle brauchen einen zweiten Faktor.',
      off: 'Mitglieder entscheiden selbst, ob sie einen zweiten Faktor verwenden.',
      others: 'Darüber entscheiden die Eigentümer.',
      turnedOn: 'Ab jetzt brauchen alle einen zweiten Faktor.',
      turnedOff: 'Der zweite Faktor ist wieder jedem selbst überlassen.',
    },
    assistants: {
      title: 'Assistenten der Mitglieder',
      label: 'Mitglieder dürfen eigene Assistenten verbinden',
      hint: 'Ein Assistent liest und schreibt, was die Person selbst kann, soweit sie es ihm erlaubt. Alles, was er tut, steht im Änderungsprotokoll. Beim Abschalten werden alle sofort getrennt.',
      turnedOn: 'Mitglieder dürfen jetzt Assistenten verbinden.',
      turnedOff: 'Alle Assistenten wurden getrennt.',
    },
    memberAssistants: {
      title: 'Verbundene Assistenten',
      about:
        'Programme, die für Mitglieder handeln, mit dem, was jedes Mitglied ihnen erlaubt hat. Was sie getan haben, steht im Änderungsprotokoll.',
      none: 'Kein Mitglied hat einen Assistenten verbunden.',
      actsFor: (member: string, host: string) => `Für ${member} · ${host}`,
      more: 'Mehr anzeigen',
      confirm: {
        title: (name: string, member: string) => `${name} von ${member} trennen?`,
        text: 'Er verliert sofort den Zugang. Das Mitglied kann ihn neu verbinden, solange Mitglieder Assistenten verbinden dürfen.',
      },
    },
    previews: {
      title: 'Linkvorschau',
      label: 'Zeigen, wohin Links führen',
      hint: 'Der Server holt die Seite hinter dem ersten Link einer Nachricht und zeigt ihren Titel, ein paar Worte und ein Bild. Die Seite erfährt, dass jemand hier auf sie verweist, und nichts davon, wer das liest.',
      on: 'Links werden mit einer Vorschau gezeigt.',
      off: 'Links werden ohne Vorschau gezeigt.',
      others: 'Wer diesen Server betreibt, hat die Vorschau ausgeschaltet.',
      turnedOn: 'Neue Nachrichten zeigen, wohin ihre Links führen.',
      turnedOff: 'Neue Nachrichten zeigen keine Vorschau.',
    },
    presence: {
      title: 'Anwesenheit und Status',
      label: 'Alle sehen, wer da ist',
      hint: 'Wer erreichbar, abwesend oder nicht zu stören ist, wer gerade schreibt, welcher Bot arbeitet, und was jemand über sich sagt. Aus: nichts davon wird gesendet oder gezeigt, und „Nicht stören“ schaltet nichts stumm.',
      on: 'Alle sehen, wer da ist und was jemand gerade tut.',
      off: 'Niemand sieht, wer da ist oder was jemand gerade tut.',
      others: 'Darüber entscheiden die Administratoren.',
      turnedOn: 'Alle sehen ab jetzt, wer da ist.',
      turnedOff: 'Niemand sieht mehr, wer da ist.',
    },
    words: {
      title: 'Gesperrte Wörter',
      about:
        'Weder Menschen noch Bots können eine Nachricht, eine Aufgabe oder eine Umfrage mit einem dieser Wörter senden oder dahin ändern. Solange die Liste leer ist, ist nichts gesperrt.',
      label: 'Wörter, eines je Zeile',
      hint: 'Verglichen werden ganze Wörter, gleich ob groß oder klein. Eine Zeile mit mehreren Wörtern zählt, wo sie aufeinander folgen.',
      count: (count: number) => plural.de(count, { one: '1 Wort', other: `${count} Wörter` }),
      tooMany: (most: number) => `Es können höchstens ${most} sein.`,
      tooLong: (most: number) => `Eine Zeile hat höchstens ${most} Zeichen.`,
      save: 'Gesperrte Wörter speichern',
      saved: 'Die gesperrten Wörter wurden geändert.',
    },
    agents: {
      title: 'Anmeldung von Agenten',
      label: 'KI-Agenten dürfen auf diesem Server eigene Organisationen anlegen',
      hint: 'Ein Agent, der diesen Server findet, meldet sich selbst an und bekommt eine Organisation getrennt von Ihrer. Von dem, was hier ist, sieht er nichts.',
      on: 'KI-Agenten dürfen auf diesem Server Organisationen anlegen.',
      off: 'KI-Agenten dürfen auf diesem Server keine Organisationen anlegen.',
      others: 'Darüber entscheiden die Eigentümer der Heimatorganisation dieses Servers.',
      turnedOn: 'KI-Agenten dürfen sich jetzt anmelden.',
      turnedOff: 'KI-Agenten können sich nicht mehr anmelden.',
    },
  },
})
