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
      server: 'As the server is set',
      serverHint: (limit: string) => `At the moment ${limit}.`,
      serverNone: 'At the moment no limit.',
      own: 'A limit of your own',
      ownLabel: 'Requests a minute',
      none: 'No limit',
      noneHint: 'For organizations that trust their bots.',
      invalid: 'Please enter a whole number from 1 to 1000000.',
      save: 'Save rate limit',
      saved: 'The rate limit was changed.',
    },
    retention: {
      title: 'How long events are kept',
      about:
        'Bots that were away catch up on what they missed for this long. Messages are not affected: they stay until somebody deletes them.',
      legend: 'Keep events and deliveries',
      server: 'As the server is set',
      serverHint: (days: string) => `At the moment ${days}.`,
      own: 'For a time of your own',
      ownLabel: 'Days',
      days: (days: number, shown: string) => (days === 1 ? '1 day' : `${shown} days`),
      invalid: 'Please enter a number of days from 0.01 to 3650.',
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
    agents: {
      title: 'Agent sign-up',
      label: 'AI agents may create organizations of their own on this server',
      hint: 'An agent that finds this server signs itself up and gets an organization apart from yours. It sees nothing of what is here.',
      on: 'AI agents may create organizations on this server.',
      off: 'AI agents may not create organizations on this server.',
      others: 'Owners of the first organization of this server decide on this.',
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
      server: 'Wie der Server eingestellt ist',
      serverHint: (limit) => `Zurzeit ${limit}.`,
      serverNone: 'Zurzeit kein Limit.',
      own: 'Ein eigenes Limit',
      ownLabel: 'Anfragen je Minute',
      none: 'Kein Limit',
      noneHint: 'Für Organisationen, die ihren Bots vertrauen.',
      invalid: 'Bitte geben Sie eine ganze Zahl von 1 bis 1000000 ein.',
      save: 'Anfragelimit speichern',
      saved: 'Das Anfragelimit wurde geändert.',
    },
    retention: {
      title: 'Wie lange Ereignisse aufgehoben werden',
      about:
        'So lange können Bots nachholen, was sie verpasst haben. Nachrichten betrifft das nicht: Sie bleiben, bis jemand sie löscht.',
      legend: 'Ereignisse und Zustellungen aufheben',
      server: 'Wie der Server eingestellt ist',
      serverHint: (days) => `Zurzeit ${days}.`,
      own: 'Eine eigene Dauer',
      ownLabel: 'Tage',
      days: (days, shown) => (days === 1 ? '1 Tag' : `${shown} Tage`),
      invalid: 'Bitte geben Sie eine Zahl von Tagen zwischen 0,01 und 3650 ein.',
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
    agents: {
      title: 'Anmeldung von Agenten',
      label: 'KI-Agenten dürfen auf diesem Server eigene Organisationen anlegen',
      hint: 'Ein Agent, der diesen Server findet, meldet sich selbst an und bekommt eine Organisation getrennt von Ihrer. Von dem, was hier ist, sieht er nichts.',
      on: 'KI-Agenten dürfen auf diesem Server Organisationen anlegen.',
      off: 'KI-Agenten dürfen auf diesem Server keine Organisationen anlegen.',
      others: 'Darüber entscheiden die Eigentümer der ersten Organisation dieses Servers.',
      turnedOn: 'KI-Agenten dürfen sich jetzt anmelden.',
      turnedOff: 'KI-Agenten können sich nicht mehr anmelden.',
    },
  },
})
