import './account-errors.ts'
import { plural, texts } from './texts.ts'

export const joinLinks = texts({
  en: {
    title: 'Join links',
    back: 'Members',
    about:
      'Anyone with a link and an e-mail address at one of its domains can join as a member. Parley confirms each address by mail first.',
    make: 'Create link',
    noMail:
      'This server does not send mail. Confirmation mails wait in its outbox, and the person who runs the server passes them on.',
    columns: { domains: 'Domains', uses: 'Joined', ends: 'Expires', by: 'Created by' },
    copy: 'Copy link',
    uses: (uses: number, most: number | undefined) => (most === undefined ? `${uses}` : `${uses} of ${most}`),
    states: { usedUp: 'Used up', ended: 'Expired' },
    none: {
      title: 'No links',
      text: 'With a link, a whole team can join without separate invitations.',
    },
    making: {
      title: 'Create join link',
      domains: 'Domains',
      domainsHint: 'Such as example.com. Separate several with commas. Subdomains are not included.',
      domainsMissing: 'Enter a domain.',
      domainsTooMany: (most: number) => `At most ${most} domains.`,
      days: 'Expires after',
      dayCount: (days: number) => plural.en(days, { one: '1 day', other: `${days} days` }),
      most: 'Maximum people (optional)',
      mostHint: 'Leave empty for no limit.',
      mostWrong: 'Enter a whole number from 1 to 10,000.',
      action: 'Create link',
      done: 'Link created. Copy it and pass it on.',
    },
    revoke: {
      action: 'Revoke',
      title: (domains: string) => `Revoke the link for ${domains}?`,
      text: 'It stops working immediately.',
      costs: {
        asked: 'People who have not confirmed their address yet can no longer join with it.',
        joined: 'People who have joined stay members.',
      },
      done: 'Link revoked.',
    },
    join: {
      title: (organization: string) => `Join ${organization}`,
      opening: 'Opening your invitation',
      about: (domains: string) =>
        `For everyone with an address at ${domains}. We will send you a mail to confirm your address.`,
      email: 'Your e-mail address',
      action: 'Send mail',
      sent: {
        title: 'Check your inbox',
        text: (email: string) => `We sent a link to ${email}. Open it within 24 hours to join.`,
        noMail: (email: string) =>
          `This server does not send mail. Ask the person who runs it for the link for ${email}.`,
        again: 'Use another address',
      },
      refused: {
        title: 'This link no longer works',
        text: 'It has expired, was revoked, or has reached its limit. Ask the person who gave it to you for a new one.',
        used: 'Already joined? Sign in.',
      },
      confirming: 'Confirming your address',
    },
  },
  de: {
    title: 'Beitrittslinks',
    back: 'Mitglieder',
    about:
      'Wer einen Link und eine E-Mail-Adresse in einer seiner Domains hat, kann als Mitglied beitreten. Parley bestätigt jede Adresse vorher per Mail.',
    make: 'Link erstellen',
    noMail:
      'Dieser Server verschickt keine Mails. Bestätigungsmails warten in seinem Postausgang, und der Betreiber gibt sie weiter.',
    columns: { domains: 'Domains', uses: 'Beigetreten', ends: 'Läuft ab', by: 'Erstellt von' },
    copy: 'Link kopieren',
    uses: (uses, most) => (most === undefined ? `${uses}` : `${uses} von ${most}`),
    states: { usedUp: 'Aufgebraucht', ended: 'Abgelaufen' },
    none: {
      title: 'Keine Links',
      text: 'Mit einem Link kann ein ganzes Team ohne einzelne Einladungen beitreten.',
    },
    making: {
      title: 'Beitrittslink erstellen',
      domains: 'Domains',
      domainsHint: 'Zum Beispiel example.com. Mehrere mit Kommas trennen. Subdomains gehören nicht dazu.',
      domainsMissing: 'Geben Sie eine Domain ein.',
      domainsTooMany: (most) => `Höchstens ${most} Domains.`,
      days: 'Läuft ab nach',
      dayCount: (days) => plural.de(days, { one: '1 Tag', other: `${days} Tagen` }),
      most: 'Höchstzahl an Personen (optional)',
      mostHint: 'Leer lassen für unbegrenzt.',
      mostWrong: 'Geben Sie eine ganze Zahl von 1 bis 10.000 ein.',
      action: 'Link erstellen',
      done: 'Link erstellt. Kopieren Sie ihn und geben Sie ihn weiter.',
    },
    revoke: {
      action: 'Widerrufen',
      title: (domains) => `Link für ${domains} widerrufen?`,
      text: 'Er gilt ab sofort nicht mehr.',
      costs: {
        asked: 'Wer die eigene Adresse noch nicht bestätigt hat, kann nicht mehr beitreten.',
        joined: 'Wer beigetreten ist, bleibt Mitglied.',
      },
      done: 'Link widerrufen.',
    },
    join: {
      title: (organization) => `${organization} beitreten`,
      opening: 'Ihre Einladung wird geöffnet',
      about: (domains) =>
        `Für alle mit einer Adresse von ${domains}. Wir schicken Ihnen eine Mail, mit der Sie Ihre Adresse bestätigen.`,
      email: 'Ihre E-Mail-Adresse',
      action: 'Mail anfordern',
      sent: {
        title: 'Prüfen Sie Ihren Posteingang',
        text: (email) =>
          `Wir haben einen Link an ${email} geschickt. Öffnen Sie ihn innerhalb von 24 Stunden, um beizutreten.`,
        noMail: (email) =>
          `Dieser Server verschickt keine Mails. Bitten Sie den Betreiber um den Link für ${email}.`,
        again: 'Andere Adresse verwenden',
      },
      refused: {
        title: 'Dieser Link gilt nicht mehr',
        text: 'Er ist abgelaufen, wurde widerrufen oder hat seine Grenze erreicht. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
        used: 'Schon beigetreten? Melden Sie sich an.',
      },
      confirming: 'Ihre Adresse wird bestätigt',
    },
  },
  fr: {
    title: 'Liens d’adhésion',
    back: 'Membres',
    about:
      'Toute personne qui a un lien et une adresse e-mail de l’un de ses domaines peut rejoindre comme membre. Parley confirme d’abord chaque adresse par e-mail.',
    make: 'Créer un lien',
    noMail:
      'Ce serveur n’envoie pas d’e-mails. Les e-mails de confirmation attendent dans sa boîte d’envoi, et la personne qui gère le serveur les transmet.',
    columns: {
      domains: 'Domaines',
      uses: 'Arrivées',
      ends: 'Expire',
      by: 'Créé par',
    },
    copy: 'Copier le lien',
    uses: (uses, most) => (most === undefined ? `${uses}` : `${uses} sur ${most}`),
    states: {
      usedUp: 'Épuisé',
      ended: 'Expiré',
    },
    none: {
      title: 'Aucun lien',
      text: 'Avec un lien, toute une équipe peut rejoindre sans invitations séparées.',
    },
    making: {
      title: 'Créer un lien d’adhésion',
      domains: 'Domaines',
      domainsHint:
        'Par exemple example.com. Séparez-les par des virgules. Les sous-domaines ne sont pas inclus.',
      domainsMissing: 'Saisissez un domaine.',
      domainsTooMany: (most) => `${most} domaines au plus.`,
      days: 'Expire après',
      dayCount: (days) => plural.fr(days, { one: `${days} jour`, other: `${days} jours` }),
      most: 'Nombre maximal de personnes (facultatif)',
      mostHint: 'Laissez vide pour aucune limite.',
      mostWrong: 'Saisissez un nombre entier de 1 à 10 000.',
      action: 'Créer un lien',
      done: 'Lien créé. Copiez-le et transmettez-le.',
    },
    revoke: {
      action: 'Révoquer',
      title: (domains) => `Révoquer le lien pour ${domains} ?`,
      text: 'Il cesse de fonctionner immédiatement.',
      costs: {
        asked: 'Les personnes qui n’ont pas encore confirmé leur adresse ne peuvent plus l’utiliser.',
        joined: 'Les personnes qui ont rejoint restent membres.',
      },
      done: 'Lien révoqué.',
    },
    join: {
      title: (organization) => `Rejoindre ${organization}`,
      opening: 'Ouverture de votre invitation',
      about: (domains) =>
        `Pour toutes les personnes qui ont une adresse de ${domains}. Nous vous enverrons un e-mail pour confirmer la vôtre.`,
      email: 'Votre adresse e-mail',
      action: 'Envoyer l’e-mail',
      sent: {
        title: 'Consultez votre boîte de réception',
        text: (email) => `Nous avons envoyé un lien à ${email}. Ouvrez-le dans les 24 heures pour rejoindre.`,
        noMail: (email) =>
          `Ce serveur n’envoie pas d’e-mails. Demandez le lien pour ${email} à la personne qui le gère.`,
        again: 'Utiliser une autre adresse',
      },
      refused: {
        title: 'Ce lien ne fonctionne plus',
        text: 'Il a expiré, a été révoqué ou a atteint sa limite. Demandez-en un nouveau à la personne qui vous l’a donné.',
        used: 'Vous avez déjà rejoint ? Connectez-vous.',
      },
      confirming: 'Confirmation de votre adresse',
    },
  },
  es: {
    title: 'Enlaces de acceso',
    back: 'Miembros',
    about:
      'Cualquiera con un enlace y un correo de uno de sus dominios puede unirse como miembro. Parley confirma antes cada dirección por correo.',
    make: 'Crear enlace',
    noMail:
      'Este servidor no envía correos. Los correos de confirmación esperan en su bandeja de salida y quien administra el servidor los reparte.',
    columns: {
      domains: 'Dominios',
      uses: 'Se unieron',
      ends: 'Caduca',
      by: 'Creado por',
    },
    copy: 'Copiar enlace',
    uses: (uses, most) => (most === undefined ? `${uses}` : `${uses} de ${most}`),
    states: {
      usedUp: 'Agotado',
      ended: 'Caducado',
    },
    none: {
      title: 'Sin enlaces',
      text: 'Con un enlace, un equipo entero puede unirse sin invitaciones separadas.',
    },
    making: {
      title: 'Crear enlace de acceso',
      domains: 'Dominios',
      domainsHint: 'Por ejemplo example.com. Separa varios con comas. Los subdominios no se incluyen.',
      domainsMissing: 'Introduce un dominio.',
      domainsTooMany: (most) => `${most} dominios como máximo.`,
      days: 'Caduca después de',
      dayCount: (days) => plural.es(days, { one: '1 día', other: `${days} días` }),
      most: 'Máximo de personas (opcional)',
      mostHint: 'Déjalo vacío para no poner límite.',
      mostWrong: 'Introduce un número entero de 1 a 10 000.',
      action: 'Crear enlace',
      done: 'Enlace creado. Cópialo y compártelo.',
    },
    revoke: {
      action: 'Revocar',
      title: (domains) => `¿Revocar el enlace para ${domains}?`,
      text: 'Deja de funcionar de inmediato.',
      costs: {
        asked: 'Quienes aún no hayan confirmado su dirección ya no podrán unirse con él.',
        joined: 'Quienes ya se unieron siguen siendo miembros.',
      },
      done: 'Enlace revocado.',
    },
    join: {
      title: (organization) => `Únete a ${organization}`,
      opening: 'Abriendo tu invitación',
      about: (domains) =>
        `Para quienes tengan una dirección de ${domains}. Te enviaremos un correo para confirmar la tuya.`,
      email: 'Tu correo electrónico',
      action: 'Enviar correo',
      sent: {
        title: 'Revisa tu bandeja de entrada',
        text: (email) => `Enviamos un enlace a ${email}. Ábrelo en las próximas 24 horas para unirte.`,
        noMail: (email) =>
          `Este servidor no envía correos. Pide a quien lo administra el enlace para ${email}.`,
        again: 'Usar otra dirección',
      },
      refused: {
        title: 'Este enlace ya no funciona',
        text: 'Caducó, se revocó o alcanzó su límite. Pide uno nuevo a quien te lo dio.',
        used: '¿Ya te uniste? Inicia sesión.',
      },
      confirming: 'Confirmando tu dirección',
    },
  },
})
