import { texts } from './texts.ts'

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
        'Bots that were away catch up on what they missed for this long. Messages are not affected: they stay until somebody deletes them.',
      legend: 'Keep events and deliveries',
      server: 'Use the server’s setting',
      serverHint: (days: string) => `${days} at the moment.`,
      own: 'Set your own time',
      ownLabel: 'Days',
      ownHint: (most: string) => `At most ${most}. Only the operator of this server can allow more.`,
      days: (days: number, shown: string) => (days === 1 ? '1 day' : `${shown} days`),
      invalid: (most: string) => `Please enter a number of days from 0.01 to ${most}.`,
      save: 'Save how long events are kept',
      losing: {
        title: 'Drop what bots have not received?',
        text: (parts: string) =>
          `With this time, ${parts} would be removed now and never reach their bots. This cannot be undone.`,
        deliveries: (count: number, shown: string) =>
          count === 1 ? '1 delivery that waits for a webhook' : `${shown} deliveries that wait for a webhook`,
        updates: (count: number, shown: string) =>
          count === 1 ? '1 update that has not been polled' : `${shown} updates that have not been polled`,
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
        'So lange können Bots nachholen, was sie verpasst haben. Nachrichten betrifft das nicht: Sie bleiben, bis jemand sie löscht.',
      legend: 'Ereignisse und Zustellungen aufheben',
      server: 'Die Einstellung des Servers verwenden',
      serverHint: (days) => `Zurzeit ${days}.`,
      own: 'Eine eigene Dauer festlegen',
      ownLabel: 'Tage',
      ownHint: (most) => `Höchstens ${most}. Mehr kann nur der Betreiber dieses Servers erlauben.`,
      days: (days, shown) => (days === 1 ? '1 Tag' : `${shown} Tage`),
      invalid: (most) => `Bitte geben Sie eine Zahl von Tagen zwischen 0,01 und ${most} ein.`,
      save: 'Dauer speichern',
      losing: {
        title: 'Verwerfen, was Bots noch nicht empfangen haben?',
        text: (parts) =>
          `Mit dieser Dauer würden ${parts} jetzt gelöscht und ihre Bots nie erreichen. Das lässt sich nicht rückgängig machen.`,
        deliveries: (count, shown) =>
          count === 1
            ? '1 Zustellung, die auf einen Webhook wartet,'
            : `${shown} Zustellungen, die auf einen Webhook warten,`,
        updates: (count, shown) =>
          count === 1
            ? '1 Ereignis, das noch nicht abgeholt ist,'
            : `${shown} Ereignisse, die noch nicht abgeholt sind,`,
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
