import './account-errors.ts'
import type { PersonScope } from '../../../contract/scopes.ts'
import { plural, texts } from './texts.ts'

const SCOPES_EN: Record<PersonScope, string> = {
  'channel:list': 'See which topics you are in',
  'channel:read': 'See details of your topics: description, members and labels',
  'channel:write': 'Add and remove members and labels of your topics',
  'message:read': 'Read messages in your topics and direct messages',
  'message:send': 'Send messages in your name',
  'message:write': 'Edit and delete your messages, and mark messages as read',
  'reaction:write': 'React to messages in your name',
  'task:read': 'Read tasks',
  'task:write': 'Create, change and delete tasks',
  'poll:write': 'Create polls and vote in your name',
  'member:read': 'See who is in the organization, with e-mail addresses',
  'search:read': 'Search what you can see: messages, files, tasks and names',
}
const SCOPES_DE: Record<PersonScope, string> = {
  'channel:list': 'Sehen, in welchen Themen Sie sind',
  'channel:read': 'Einzelheiten Ihrer Themen sehen: Beschreibung, Mitglieder und Labels',
  'channel:write': 'Mitglieder und Labels Ihrer Themen hinzufügen und entfernen',
  'message:read': 'Nachrichten in Ihren Themen und Direktnachrichten lesen',
  'message:send': 'In Ihrem Namen Nachrichten senden',
  'message:write': 'Ihre Nachrichten bearbeiten und löschen, Nachrichten als gelesen markieren',
  'reaction:write': 'In Ihrem Namen auf Nachrichten reagieren',
  'task:read': 'Aufgaben lesen',
  'task:write': 'Aufgaben anlegen, ändern und löschen',
  'poll:write': 'In Ihrem Namen Umfragen anlegen und abstimmen',
  'member:read': 'Sehen, wer zur Organisation gehört, mit E-Mail-Adressen',
  'search:read': 'Durchsuchen, was Sie sehen: Nachrichten, Dateien, Aufgaben und Namen',
}

const SCOPES_FR: Record<PersonScope, string> = {
  'channel:list': 'Voir dans quels sujets vous êtes',
  'channel:read': 'Voir les détails de vos sujets : description, membres et étiquettes',
  'channel:write': 'Ajouter et retirer des membres et des étiquettes de vos sujets',
  'message:read': 'Lire les messages de vos sujets et vos messages directs',
  'message:send': 'Envoyer des messages en votre nom',
  'message:write': 'Modifier et supprimer vos messages, et marquer des messages comme lus',
  'reaction:write': 'Réagir aux messages en votre nom',
  'task:read': 'Lire les tâches',
  'task:write': 'Créer, modifier et supprimer des tâches',
  'poll:write': 'Créer des sondages et voter en votre nom',
  'member:read': 'Voir qui fait partie de l’organisation, avec les adresses e-mail',
  'search:read': 'Rechercher dans ce que vous voyez : messages, fichiers, tâches et noms',
}

const SCOPES_ES: Record<PersonScope, string> = {
  'channel:list': 'Ver en qué temas estás',
  'channel:read': 'Ver los detalles de tus temas: descripción, miembros y etiquetas',
  'channel:write': 'Añadir y quitar miembros y etiquetas de tus temas',
  'message:read': 'Leer los mensajes de tus temas y tus mensajes directos',
  'message:send': 'Enviar mensajes en tu nombre',
  'message:write': 'Editar y eliminar tus mensajes, y marcar mensajes como leídos',
  'reaction:write': 'Reaccionar a mensajes en tu nombre',
  'task:read': 'Leer tareas',
  'task:write': 'Crear, cambiar y eliminar tareas',
  'poll:write': 'Crear encuestas y votar en tu nombre',
  'member:read': 'Ver quién está en la organización, con sus correos electrónicos',
  'search:read': 'Buscar en lo que puedes ver: mensajes, archivos, tareas y nombres',
}

export const assistants = texts({
  en: {
    consent: {
      title: (name: string) => `Connect ${name}?`,
      loading: 'Connect an assistant',
      about: (email: string) => `This assistant wants to act on your behalf. You are signed in as ${email}.`,
      verified: (host: string) => `Verified: it comes from ${host}.`,
      unverified:
        'Parley cannot verify who made this assistant: anyone can choose its name. Connect it only if you have just started this yourself.',
      goesTo: (host: string) => `Access goes to ${host}.`,
      goesToDevice: (host: string) => `Access goes to a program on this device (${host}).`,
      organization: 'Organization',
      mayDo: 'Allow it to',
      nothingChosen: 'Choose at least one permission.',
      ends: 'Access ends after',
      days: (days: number) => plural.en(days, { one: '1 day', other: `${days} days` }),
      effect:
        'Its messages appear under your name, marked as written by this assistant. Admins can see what it does. You can disconnect it in your account at any time.',
      connect: 'Connect',
      refuse: 'Cancel',
      leaving: 'Going back to the assistant …',
      notAllowed: 'None of your organizations allows assistants. An admin can change that.',
      signInAgain: 'Sign in again',
      confirmYourself: 'You signed in a while ago. Sign in again to confirm that it is you.',
      wrong: {
        title: 'This assistant cannot be connected',
        text: (problem: string) =>
          `Its request is invalid: ${problem}. The assistant’s developer has to fix this.`,
        back: (host: string) => `Back to ${host}`,
      },
    },
    list: {
      title: 'Connected assistants',
      about: 'Programs that act for you in Parley, with the permissions and the expiry you chose.',
      none: 'No assistants are connected.',
      inOrganization: (organization: string, host: string) => `${organization} · ${host}`,
      connected: 'Connected',
      used: 'Last used',
      neverUsed: 'Not used yet',
      ends: 'Ends',
      scopes: 'What it can do',
      disconnect: 'Disconnect',
      disconnectOne: (name: string) => `Disconnect ${name}`,
      confirm: {
        title: (name: string) => `Disconnect ${name}?`,
        text: 'It loses access immediately. To use it again, you have to reconnect it.',
      },
      disconnected: 'Assistant disconnected.',
    },
    scopes: SCOPES_EN,
  },
  de: {
    consent: {
      title: (name) => `${name} verbinden?`,
      loading: 'Assistenten verbinden',
      about: (email) => `Dieser Assistent möchte für Sie handeln. Sie sind angemeldet als ${email}.`,
      verified: (host) => `Geprüft: Er kommt von ${host}.`,
      unverified:
        'Parley kann nicht prüfen, von wem dieser Assistent stammt: Seinen Namen kann jeder wählen. Verbinden Sie ihn nur, wenn Sie das gerade selbst begonnen haben.',
      goesTo: (host) => `Der Zugang geht an ${host}.`,
      goesToDevice: (host) => `Der Zugang geht an ein Programm auf diesem Gerät (${host}).`,
      organization: 'Organisation',
      mayDo: 'Er darf',
      nothingChosen: 'Wählen Sie mindestens eine Berechtigung.',
      ends: 'Der Zugang endet nach',
      days: (days) => plural.de(days, { one: '1 Tag', other: `${days} Tagen` }),
      effect:
        'Seine Nachrichten erscheinen unter Ihrem Namen mit einem Hinweis auf den Assistenten. Admins können sehen, was er tut. In Ihrem Konto können Sie ihn jederzeit trennen.',
      connect: 'Verbinden',
      refuse: 'Abbrechen',
      leaving: 'Zurück zum Assistenten …',
      notAllowed: 'Keine Ihrer Organisationen erlaubt Assistenten. Ein Administrator kann das ändern.',
      signInAgain: 'Neu anmelden',
      confirmYourself:
        'Ihre Anmeldung liegt schon eine Weile zurück. Melden Sie sich neu an, um zu bestätigen, dass Sie es sind.',
      wrong: {
        title: 'Dieser Assistent kann nicht verbunden werden',
        text: (problem) => `Seine Anfrage ist ungültig: ${problem}. Das muss der Hersteller beheben.`,
        back: (host) => `Zurück zu ${host}`,
      },
    },
    list: {
      title: 'Verbundene Assistenten',
      about:
        'Programme, die in Parley für Sie handeln, mit den Berechtigungen und der Dauer, die Sie gewählt haben.',
      none: 'Es sind keine Assistenten verbunden.',
      inOrganization: (organization, host) => `${organization} · ${host}`,
      connected: 'Verbunden',
      used: 'Zuletzt verwendet',
      neverUsed: 'Noch nicht verwendet',
      ends: 'Endet',
      scopes: 'Was er tun kann',
      disconnect: 'Trennen',
      disconnectOne: (name) => `${name} trennen`,
      confirm: {
        title: (name) => `${name} trennen?`,
        text: 'Er verliert sofort den Zugang. Um ihn wieder zu benutzen, müssen Sie ihn neu verbinden.',
      },
      disconnected: 'Assistent getrennt.',
    },
    scopes: SCOPES_DE,
  },
  fr: {
    consent: {
      title: (name) => `Connecter ${name} ?`,
      loading: 'Connecter un assistant',
      about: (email) => `Cet assistant souhaite agir en votre nom. Vous êtes connecté en tant que ${email}.`,
      verified: (host) => `Vérifié : il vient de ${host}.`,
      unverified:
        'Parley ne peut pas vérifier qui a créé cet assistant : n’importe qui peut choisir son nom. Ne le connectez que si vous venez de lancer cette opération vous-même.',
      goesTo: (host) => `L’accès est donné à ${host}.`,
      goesToDevice: (host) => `L’accès est donné à un programme sur cet appareil (${host}).`,
      organization: 'Organisation',
      mayDo: 'L’autoriser à',
      nothingChosen: 'Choisissez au moins une autorisation.',
      ends: 'L’accès prend fin après',
      days: (days) => plural.fr(days, { one: `${days} jour`, other: `${days} jours` }),
      effect:
        'Ses messages apparaissent sous votre nom, avec la mention qu’ils viennent de cet assistant. Les administrateurs voient ce qu’il fait. Vous pouvez le déconnecter à tout moment dans votre compte.',
      connect: 'Connecter',
      refuse: 'Annuler',
      leaving: 'Retour à l’assistant …',
      notAllowed:
        'Aucune de vos organisations n’autorise les assistants. Un administrateur peut changer cela.',
      signInAgain: 'Se reconnecter',
      confirmYourself:
        'Votre connexion remonte à quelque temps. Reconnectez-vous pour confirmer que c’est bien vous.',
      wrong: {
        title: 'Impossible de connecter cet assistant',
        text: (problem) =>
          `Sa demande n’est pas valide : ${problem}. C’est au développeur de l’assistant de corriger cela.`,
        back: (host) => `Retour à ${host}`,
      },
    },
    list: {
      title: 'Assistants connectés',
      about:
        'Des programmes qui agissent pour vous dans Parley, avec les autorisations et l’échéance que vous avez choisies.',
      none: 'Aucun assistant connecté.',
      inOrganization: (organization, host) => `${organization} · ${host}`,
      connected: 'Connecté',
      used: 'Dernière utilisation',
      neverUsed: 'Pas encore utilisé',
      ends: 'Prend fin',
      scopes: 'Ce qu’il peut faire',
      disconnect: 'Déconnecter',
      disconnectOne: (name) => `Déconnecter ${name}`,
      confirm: {
        title: (name) => `Déconnecter ${name} ?`,
        text: 'Il perd l’accès immédiatement. Pour l’utiliser de nouveau, vous devrez le reconnecter.',
      },
      disconnected: 'Assistant déconnecté.',
    },
    scopes: SCOPES_FR,
  },
  es: {
    consent: {
      title: (name) => `¿Conectar ${name}?`,
      loading: 'Conectar un asistente',
      about: (email) => `Este asistente quiere actuar en tu nombre. Has iniciado sesión como ${email}.`,
      verified: (host) => `Verificado: procede de ${host}.`,
      unverified:
        'Parley no puede verificar quién creó este asistente: cualquiera puede elegir su nombre. Conéctalo solo si acabas de iniciar esto tú.',
      goesTo: (host) => `El acceso se da a ${host}.`,
      goesToDevice: (host) => `El acceso se da a un programa de este dispositivo (${host}).`,
      organization: 'Organización',
      mayDo: 'Permitirle',
      nothingChosen: 'Elige al menos un permiso.',
      ends: 'El acceso termina después de',
      days: (days) => plural.es(days, { one: '1 día', other: `${days} días` }),
      effect:
        'Sus mensajes aparecen con tu nombre, marcados como escritos por este asistente. Los administradores ven lo que hace. Puedes desconectarlo en tu cuenta en cualquier momento.',
      connect: 'Conectar',
      refuse: 'Cancelar',
      leaving: 'Volviendo al asistente…',
      notAllowed: 'Ninguna de tus organizaciones permite asistentes. Un administrador puede cambiarlo.',
      signInAgain: 'Iniciar sesión de nuevo',
      confirmYourself: 'Iniciaste sesión hace un rato. Hazlo de nuevo para confirmar que eres tú.',
      wrong: {
        title: 'No se puede conectar este asistente',
        text: (problem) =>
          `Su solicitud no es válida: ${problem}. Quien desarrolla el asistente debe corregirlo.`,
        back: (host) => `Volver a ${host}`,
      },
    },
    list: {
      title: 'Asistentes conectados',
      about: 'Programas que actúan por ti en Parley, con los permisos y el plazo que elegiste.',
      none: 'No hay asistentes conectados.',
      inOrganization: (organization, host) => `${organization} · ${host}`,
      connected: 'Conectado',
      used: 'Último uso',
      neverUsed: 'Aún sin usar',
      ends: 'Termina',
      scopes: 'Qué puede hacer',
      disconnect: 'Desconectar',
      disconnectOne: (name) => `Desconectar ${name}`,
      confirm: {
        title: (name) => `¿Desconectar ${name}?`,
        text: 'Pierde el acceso de inmediato. Para volver a usarlo, tendrás que conectarlo de nuevo.',
      },
      disconnected: 'Asistente desconectado.',
    },
    scopes: SCOPES_ES,
  },
})
