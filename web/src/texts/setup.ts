import { texts } from './texts.ts'

export const setup = texts({
  en: {
    step: (step: number, steps: number) => `Step ${step} of ${steps}`,
    next: 'Continue',
    back: 'Back',
    organization: {
      title: 'Welcome to Parley',
      about:
        'A few details and your team can start talking, people and bots alike. What is your organization called?',
      name: 'Organization name',
      hint: 'Your company, club or project. You can change it later.',
      missing: 'Enter a name for your organization.',
      agents: 'Allow AI agents to create organizations on this server',
      agentsHere: 'Only programs on this computer can reach it. You can change this later in the settings.',
      agentsAnywhere:
        'Anyone who can reach this server could create one, with its own files and invitations by e-mail. You can change this later in the settings.',
    },
    you: {
      title: 'Your account',
      about: 'You will be the owner: you can invite others and change every setting.',
      name: 'Your name',
      nameMissing: 'Enter your name.',
      email: 'Your e-mail address',
      emailHint: 'You will sign in with it.',
      emailMissing: 'Enter an e-mail address, such as ada@example.com.',
      password: 'Choose a password',
    },
    bot: {
      title: 'Your first bot',
      about:
        'Bots are full members here: they read and write like everyone else. Name the first one, and it will say hello in a minute.',
      name: 'Bot name',
      suggested: 'Hello bot',
      hint: 'You can change it later, and add as many as you like.',
      missing: 'Enter a name for the bot.',
      action: 'Set up Parley',
    },
    used: {
      title: 'This server is already set up',
      text: 'Sign in, or ask an admin to invite you.',
      signIn: 'Sign in',
      open: 'Open Parley',
    },
    noToken: {
      title: 'Open the whole link',
      text: 'The server prints the set-up link in the terminal when it starts. The link ends with a # and a long code: copy all of it.',
      restart: 'Lost the link? Restart the server to get a new one.',
    },
    refused: {
      title: 'This set-up link no longer works',
      text: 'It was replaced by a newer one, or someone has already used it. Restart the server: if it is not set up yet, it prints a new link.',
    },
    done: {
      bot: {
        about: 'A bot that answers each message in a thread. Start it, then write something here.',
        language: 'Programming language',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Save it as bot.mjs. The first line downloads the library and starts the bot. Needs Node.js 20.',
        runPython:
          'Save it as bot.py. The first line downloads the library and starts the bot. Needs Python 3.9.',
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
        'Nur ein paar Angaben, dann kann Ihr Team loslegen, Menschen wie Bots. Wie heißt Ihre Organisation?',
      name: 'Name der Organisation',
      hint: 'Ihre Firma, Ihr Verein oder Projekt. Sie können den Namen später ändern.',
      missing: 'Geben Sie einen Namen für Ihre Organisation ein.',
      agents: 'KI-Agenten erlauben, auf diesem Server Organisationen anzulegen',
      agentsHere:
        'Nur Programme auf diesem Rechner erreichen ihn. Sie können das später in den Einstellungen ändern.',
      agentsAnywhere:
        'Jeder, der diesen Server erreicht, könnte eine anlegen, mit eigenen Dateien und Einladungen per E-Mail. Sie können das später in den Einstellungen ändern.',
    },
    you: {
      title: 'Ihr Konto',
      about: 'Sie werden Eigentümer: Sie können andere einladen und alle Einstellungen ändern.',
      name: 'Ihr Name',
      nameMissing: 'Geben Sie Ihren Namen ein.',
      email: 'Ihre E-Mail-Adresse',
      emailHint: 'Damit melden Sie sich an.',
      emailMissing: 'Geben Sie eine E-Mail-Adresse ein, etwa ada@example.com.',
      password: 'Passwort wählen',
    },
    bot: {
      title: 'Ihr erster Bot',
      about:
        'Bots sind hier vollwertige Mitglieder: Sie lesen und schreiben wie alle anderen. Geben Sie dem ersten einen Namen, und er meldet sich in einer Minute.',
      name: 'Name des Bots',
      suggested: 'Hallo-Bot',
      hint: 'Sie können den Namen später ändern und so viele Bots anlegen, wie Sie möchten.',
      missing: 'Geben Sie einen Namen für den Bot ein.',
      action: 'Parley einrichten',
    },
    used: {
      title: 'Dieser Server ist schon eingerichtet',
      text: 'Melden Sie sich an, oder bitten Sie einen Admin um eine Einladung.',
      signIn: 'Anmelden',
      open: 'Parley öffnen',
    },
    noToken: {
      title: 'Öffnen Sie den ganzen Link',
      text: 'Der Server gibt den Link zur Einrichtung beim Start im Terminal aus. Er endet mit einem # und einem langen Code: Kopieren Sie alles.',
      restart: 'Link verloren? Starten Sie den Server neu, um einen neuen zu erhalten.',
    },
    refused: {
      title: 'Dieser Link zur Einrichtung gilt nicht mehr',
      text: 'Er wurde durch einen neueren ersetzt oder schon verwendet. Starten Sie den Server neu: Ist er noch nicht eingerichtet, gibt er einen neuen Link aus.',
    },
    done: {
      bot: {
        about:
          'Ein Bot, der auf jede Nachricht in einem Thread antwortet. Starten Sie ihn, und schreiben Sie dann hier etwas.',
        language: 'Programmiersprache',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Speichern Sie ihn als bot.mjs. Die erste Zeile lädt die Bibliothek und startet den Bot. Benötigt Node.js 20.',
        runPython:
          'Speichern Sie ihn als bot.py. Die erste Zeile lädt die Bibliothek und startet den Bot. Benötigt Python 3.9.',
        label: (language) => `Ein Bot in ${language}`,
        answer: 'Sie sagten:',
      },
    },
  },
  fr: {
    step: (step, steps) => `Étape ${step} sur ${steps}`,
    next: 'Continuer',
    back: 'Retour',
    organization: {
      title: 'Bienvenue dans Parley',
      about:
        'Quelques informations et votre équipe peut commencer à échanger, personnes et bots ensemble. Comment s’appelle votre organisation ?',
      name: 'Nom de l’organisation',
      hint: 'Votre entreprise, association ou projet. Vous pourrez le changer plus tard.',
      missing: 'Saisissez un nom pour votre organisation.',
      agents: 'Autoriser les agents IA à créer des organisations sur ce serveur',
      agentsHere:
        'Seuls les programmes de cet ordinateur peuvent le joindre. Vous pourrez changer cela plus tard dans les paramètres.',
      agentsAnywhere:
        'Toute personne qui peut joindre ce serveur pourrait en créer une, avec ses propres fichiers et invitations par e-mail. Vous pourrez changer cela plus tard dans les paramètres.',
    },
    you: {
      title: 'Votre compte',
      about:
        'Vous serez propriétaire : vous pourrez inviter d’autres personnes et changer tous les paramètres.',
      name: 'Votre nom',
      nameMissing: 'Saisissez votre nom.',
      email: 'Votre adresse e-mail',
      emailHint: 'Vous vous connecterez avec cette adresse.',
      emailMissing: 'Saisissez une adresse e-mail, par exemple ada@example.com.',
      password: 'Choisissez un mot de passe',
    },
    bot: {
      title: 'Votre premier bot',
      about:
        'Ici, les bots sont des membres à part entière : ils lisent et écrivent comme tout le monde. Donnez un nom au premier, et il dira bonjour dans une minute.',
      name: 'Nom du bot',
      suggested: 'Bot bonjour',
      hint: 'Vous pourrez le changer plus tard, et en ajouter autant que vous voulez.',
      missing: 'Saisissez un nom pour le bot.',
      action: 'Configurer Parley',
    },
    used: {
      title: 'Ce serveur est déjà configuré',
      text: 'Connectez-vous, ou demandez à un administrateur de vous inviter.',
      signIn: 'Se connecter',
      open: 'Ouvrir Parley',
    },
    noToken: {
      title: 'Ouvrez le lien entier',
      text: 'Le serveur affiche le lien de configuration dans le terminal à son démarrage. Le lien finit par un # et un long code : copiez-le en entier.',
      restart: 'Lien perdu ? Redémarrez le serveur pour en obtenir un nouveau.',
    },
    refused: {
      title: 'Ce lien de configuration ne fonctionne plus',
      text: 'Il a été remplacé par un plus récent, ou quelqu’un l’a déjà utilisé. Redémarrez le serveur : s’il n’est pas encore configuré, il affiche un nouveau lien.',
    },
    done: {
      bot: {
        about: 'Un bot qui répond à chaque message dans un fil. Lancez-le, puis écrivez quelque chose ici.',
        language: 'Langage de programmation',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Enregistrez-le sous bot.mjs. La première ligne télécharge la bibliothèque et lance le bot. Nécessite Node.js 20.',
        runPython:
          'Enregistrez-le sous bot.py. La première ligne télécharge la bibliothèque et lance le bot. Nécessite Python 3.9.',
        label: (language) => `Un bot en ${language}`,
        answer: 'Vous avez dit :',
      },
    },
  },
  es: {
    step: (step, steps) => `Paso ${step} de ${steps}`,
    next: 'Continuar',
    back: 'Atrás',
    organization: {
      title: 'Te damos la bienvenida a Parley',
      about:
        'Unos datos y tu equipo puede empezar a hablar, personas y bots por igual. ¿Cómo se llama tu organización?',
      name: 'Nombre de la organización',
      hint: 'Tu empresa, asociación o proyecto. Puedes cambiarlo después.',
      missing: 'Introduce un nombre para tu organización.',
      agents: 'Permitir que los agentes de IA creen organizaciones en este servidor',
      agentsHere:
        'Solo los programas de este equipo pueden llegar a él. Puedes cambiarlo después en los ajustes.',
      agentsAnywhere:
        'Cualquiera que llegue a este servidor podría crear una, con sus propios archivos e invitaciones por correo. Puedes cambiarlo después en los ajustes.',
    },
    you: {
      title: 'Tu cuenta',
      about: 'Serás propietario: podrás invitar a otros y cambiar todos los ajustes.',
      name: 'Tu nombre',
      nameMissing: 'Introduce tu nombre.',
      email: 'Tu correo electrónico',
      emailHint: 'Iniciarás sesión con él.',
      emailMissing: 'Introduce un correo electrónico, por ejemplo ada@example.com.',
      password: 'Elige una contraseña',
    },
    bot: {
      title: 'Tu primer bot',
      about:
        'Aquí los bots son miembros de pleno derecho: leen y escriben como los demás. Ponle nombre al primero y saludará en un minuto.',
      name: 'Nombre del bot',
      suggested: 'Bot saludador',
      hint: 'Puedes cambiarlo después y añadir tantos como quieras.',
      missing: 'Introduce un nombre para el bot.',
      action: 'Configurar Parley',
    },
    used: {
      title: 'Este servidor ya está configurado',
      text: 'Inicia sesión o pide a un administrador que te invite.',
      signIn: 'Iniciar sesión',
      open: 'Abrir Parley',
    },
    noToken: {
      title: 'Abre el enlace completo',
      text: 'El servidor muestra el enlace de configuración en el terminal al arrancar. El enlace termina en un # y un código largo: cópialo entero.',
      restart: '¿Perdiste el enlace? Reinicia el servidor para obtener uno nuevo.',
    },
    refused: {
      title: 'Este enlace de configuración ya no funciona',
      text: 'Lo reemplazó otro más reciente, o alguien ya lo usó. Reinicia el servidor: si aún no está configurado, muestra un enlace nuevo.',
    },
    done: {
      bot: {
        about: 'Un bot que responde a cada mensaje en un hilo. Inícialo y escribe algo aquí.',
        language: 'Lenguaje de programación',
        curl: 'curl',
        typescript: 'TypeScript',
        python: 'Python',
        runTypescript:
          'Guárdalo como bot.mjs. La primera línea descarga la biblioteca e inicia el bot. Necesita Node.js 20.',
        runPython:
          'Guárdalo como bot.py. La primera línea descarga la biblioteca e inicia el bot. Necesita Python 3.9.',
        label: (language) => `Un bot en ${language}`,
        answer: 'Dijiste:',
      },
    },
  },
})
