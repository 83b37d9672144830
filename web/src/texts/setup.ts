import { texts } from './texts.ts'

export const setup = texts({
  en: {
    step: (step: number, steps: number) => `Step ${step} of ${steps}`,
    next: 'Continue',
    back: 'Back',
    organization: {
      title: 'Welcome to Parley',
      about: 'A few words, and your team can talk, people and bots alike. What is your organization called?',
      name: 'Name of the organization',
      hint: 'Your company, club or project. You can change it later.',
      missing: 'Please give your organization a name.',
      agents: 'AI agents may create organizations of their own on this server',
      agentsHere: 'Only programs on this computer reach it. You can change this later in the settings.',
      agentsAnywhere:
        'Anybody who reaches this server could create one, with its own files and invitations by e-mail. You can change this later in the settings.',
    },
    you: {
      title: 'And who are you?',
      about: 'You become the owner: you invite others and decide on everything.',
      name: 'Your name',
      nameMissing: 'Please enter your name.',
      email: 'Your e-mail address',
      emailHint: 'You sign in with it.',
      emailMissing: 'Please enter an e-mail address, such as ada@example.com.',
      password: 'Choose a password',
    },
    bot: {
      title: 'Your first bot',
      about:
        'Bots are full members here: they read and write like everybody else. Give the first one a name, and you will have it say hello in a minute.',
      name: 'Name of the bot',
      suggested: 'Hello bot',
      hint: 'You can change it later, and add as many as you like.',
      missing: 'Please give the bot a name.',
      action: 'Set up Parley',
    },
    used: {
      title: 'This Parley is set up already',
      text: 'There is an organization here. Sign in, or ask an admin to invite you.',
      signIn: 'Sign in',
      open: 'Open Parley',
    },
    noToken: {
      title: 'Open the whole link',
      text: 'The set-up link is printed in the terminal when the server starts. It ends with a # and a long word: copy all of it.',
      restart: 'Cannot find it any more? Restart the server: it prints a new link.',
    },
    refused: {
      title: 'This set-up link does not work any more',
      text: 'A newer one has taken its place, or somebody was quicker. Restart the server: if nobody has set it up yet, it prints a new link.',
    },
    done: {
      bot: {
        about: 'A bot that answers each message in its thread. Start it, then write something here.',
        language: 'Programming language',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Save it as bot.mjs. Its first line gets the library and runs it; it needs Node.js 20.',
        runPython: 'Save it as bot.py. Its first line gets the library and runs it; it needs Python 3.9.',
        label: (language: string) => `A bot in ${language}`,
        answer: 'You said:',
      },
    },
  },
  de: {
    step: (step, steps) => `Schritt ${step} von ${steps}`,
    next: 'Weiter',
    back: 'Zurück',
    organization: {
      title: 'Willkommen bei Parley',
      about:
        'Ein paar Angaben, und Ihr Team kann sich austauschen, Menschen wie Bots. Wie heißt Ihre Organisation?',
      name: 'Name der Organisation',
      hint: 'Ihre Firma, Ihr Verein oder Projekt. Sie können den Namen später ändern.',
      missing: 'Bitte geben Sie Ihrer Organisation einen Namen.',
      agents: 'KI-Agenten dürfen auf diesem Server eigene Organisationen anlegen',
      agentsHere:
        'Nur Programme auf diesem Rechner erreichen ihn. Sie können das später in den Einstellungen ändern.',
      agentsAnywhere:
        'Jeder, der diesen Server erreicht, könnte eine anlegen, mit eigenen Dateien und Einladungen per E-Mail. Sie können das später in den Einstellungen ändern.',
    },
    you: {
      title: 'Und wer sind Sie?',
      about: 'Sie werden Eigentümer: Sie laden andere ein und entscheiden über alles.',
      name: 'Ihr Name',
      nameMissing: 'Bitte geben Sie Ihren Namen ein.',
      email: 'Ihre E-Mail-Adresse',
      emailHint: 'Mit ihr melden Sie sich an.',
      emailMissing: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
      password: 'Passwort wählen',
    },
    bot: {
      title: 'Ihr erster Bot',
      about:
        'Bots sind hier vollwertige Mitglieder: Sie lesen und schreiben wie alle anderen. Geben Sie dem ersten einen Namen, und gleich lassen Sie ihn grüßen.',
      name: 'Name des Bots',
      suggested: 'Hallo-Bot',
      hint: 'Sie können den Namen später ändern und so viele Bots anlegen, wie Sie möchten.',
      missing: 'Bitte geben Sie dem Bot einen Namen.',
      action: 'Parley einrichten',
    },
    used: {
      title: 'Dieses Parley ist schon eingerichtet',
      text: 'Hier gibt es eine Organisation. Melden Sie sich an, oder lassen Sie sich einladen.',
      signIn: 'Anmelden',
      open: 'Parley öffnen',
    },
    noToken: {
      title: 'Öffnen Sie den ganzen Link',
      text: 'Der Server gibt den Link zur Einrichtung beim Start im Terminal aus. Er endet mit einem # und einem langen Wort: Kopieren Sie alles.',
      restart: 'Finden Sie ihn nicht mehr? Starten Sie den Server neu: Er gibt einen neuen Link aus.',
    },
    refused: {
      title: 'Dieser Link zur Einrichtung gilt nicht mehr',
      text: 'Ein neuerer ist an seine Stelle getreten, oder jemand war schneller. Starten Sie den Server neu: Wenn ihn noch niemand eingerichtet hat, gibt er einen neuen Link aus.',
    },
    done: {
      bot: {
        about:
          'Ein Bot, der jede Nachricht in ihrem Faden beantwortet. Starten Sie ihn, und schreiben Sie dann hier etwas.',
        language: 'Programmiersprache',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Speichern Sie ihn als bot.mjs. Die erste Zeile holt die Bibliothek und startet ihn; er braucht Node.js 20.',
        runPython:
          'Speichern Sie ihn als bot.py. Die erste Zeile holt die Bibliothek und startet ihn; er braucht Python 3.9.',
        label: (language) => `Ein Bot in ${language}`,
        answer: 'Sie sagten:',
      },
    },
  },
})
