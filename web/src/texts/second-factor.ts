import { plural, texts } from './texts.ts'

export const secondFactor = texts({
  en: {
    title: 'Second factor',
    about:
      'A code from an authenticator app, in addition to your password. Someone who knows your password cannot sign in without it.',
    off: 'Not set up.',
    on: 'Switched on',
    codesLeft: (left: number) =>
      plural.en(left, {
        one: 'You have 1 recovery code left.',
        other: `You have ${left} recovery codes left.`,
      }),
    setUp: 'Set up',
    remove: 'Remove',
    renew: 'New recovery codes',
    code: 'Code',
    codeHint: 'Six digits from your app, or one of your recovery codes.',
    codeMissing: 'Enter the code.',
    step: {
      title: 'One more step',
      about: 'Enter the current code from your authenticator app.',
      action: 'Continue',
      back: 'Back to password',
      lost: 'Lost your phone? Enter one of your recovery codes, or ask an admin to reset your second factor.',
    },
    setting: {
      title: 'Set up a second factor',
      password: 'Your password',
      passwordAbout: 'Confirm that it is you.',
      next: 'Continue',
      scan: 'Scan this QR code with an authenticator app, such as the one in your phone or your password manager.',
      qr: 'QR code for your authenticator app',
      byHand: 'Or enter this key in the app',
      code: 'Code from the app',
      codeHint: 'Six digits. They change every 30 seconds.',
      action: 'Switch on',
      effect: 'This signs you out everywhere else.',
    },
    codes: {
      title: 'Your recovery codes',
      about:
        'Each code signs you in once if you lose your phone. Keep them apart from your phone. They are not shown again.',
      label: 'Recovery codes',
      leave: 'Your recovery codes will not be shown again. Have you saved them?',
      action: 'I have saved them',
    },
    removing: {
      title: 'Remove your second factor?',
      text: 'You will sign in with your password alone. You cannot open organizations that require a second factor until you set one up again.',
      done: 'Second factor removed.',
    },
    renewing: {
      title: 'Create new recovery codes?',
      text: 'Your current codes stop working.',
      action: 'Create new codes',
    },
    enabled: 'Second factor switched on.',
    needs: {
      second_factor: {
        title: (organization: string) => `${organization} requires a second factor`,
        text: 'Set up an authenticator app in your account, or sign in with a passkey.',
        action: 'Open your account',
      },
      sign_in: {
        title: (organization: string) => `Sign in again for ${organization}`,
        text: 'Your session is too old for this organization, or an admin ended it. Sign out and sign in again to open it.',
        action: 'Open your account',
      },
      address_proof: {
        title: (organization: string) => `Confirm your address to open ${organization}`,
        text: 'You were added there, but your address is not confirmed yet. We will mail you a link to set a new password, which confirms your address. This ends all current sessions and connections.',
        action: 'Send link',
      },
      sign_on: {
        title: (organization: string) => `${organization} requires single sign-on`,
        text: 'Passwords and passkeys do not open this organization. Sign in through your identity provider.',
        action: 'Open your account',
      },
    },
  },
  de: {
    title: 'Zweiter Faktor',
    about:
      'Ein Code aus einer Authenticator-App, zusätzlich zum Passwort. Wer Ihr Passwort kennt, kann sich ohne ihn nicht anmelden.',
    off: 'Nicht eingerichtet.',
    on: 'Eingeschaltet',
    codesLeft: (left) =>
      plural.de(left, {
        one: 'Sie haben noch 1 Wiederherstellungscode.',
        other: `Sie haben noch ${left} Wiederherstellungscodes.`,
      }),
    setUp: 'Einrichten',
    remove: 'Entfernen',
    renew: 'Neue Wiederherstellungscodes',
    code: 'Code',
    codeHint: 'Sechs Ziffern aus Ihrer App oder einer Ihrer Wiederherstellungscodes.',
    codeMissing: 'Geben Sie den Code ein.',
    step: {
      title: 'Noch ein Schritt',
      about: 'Geben Sie den aktuellen Code aus Ihrer Authenticator-App ein.',
      action: 'Weiter',
      back: 'Zurück zum Passwort',
      lost: 'Telefon verloren? Geben Sie einen Ihrer Wiederherstellungscodes ein, oder bitten Sie einen Administrator, Ihren zweiten Faktor zurückzusetzen.',
    },
    setting: {
      title: 'Zweiten Faktor einrichten',
      password: 'Ihr Passwort',
      passwordAbout: 'Bestätigen Sie, dass Sie es sind.',
      next: 'Weiter',
      scan: 'Scannen Sie diesen QR-Code mit einer Authenticator-App, etwa der Ihres Smartphones oder Ihres Passwortmanagers.',
      qr: 'QR-Code für Ihre Authenticator-App',
      byHand: 'Oder geben Sie diesen Schlüssel in der App ein',
      code: 'Code aus der App',
      codeHint: 'Sechs Ziffern. Sie ändern sich alle 30 Sekunden.',
      action: 'Einschalten',
      effect: 'Sie werden überall sonst abgemeldet.',
    },
    codes: {
      title: 'Ihre Wiederherstellungscodes',
      about:
        'Mit jedem davon melden Sie sich einmal an, falls Sie Ihr Telefon verlieren. Bewahren Sie sie getrennt vom Telefon auf. Sie werden nicht noch einmal angezeigt.',
      label: 'Wiederherstellungscodes',
      leave: 'Ihre Wiederherstellungscodes werden nicht noch einmal angezeigt. Haben Sie sie gespeichert?',
      action: 'Ich habe sie gespeichert',
    },
    removing: {
      title: 'Zweiten Faktor entfernen?',
      text: 'Danach genügt Ihr Passwort. Organisationen, die einen zweiten Faktor verlangen, können Sie erst wieder öffnen, wenn Sie einen neuen einrichten.',
      done: 'Zweiter Faktor entfernt.',
    },
    renewing: {
      title: 'Neue Wiederherstellungscodes erstellen?',
      text: 'Ihre bisherigen Codes gelten dann nicht mehr.',
      action: 'Neue Codes erstellen',
    },
    enabled: 'Zweiter Faktor eingeschaltet.',
    needs: {
      second_factor: {
        title: (organization) => `${organization} verlangt einen zweiten Faktor`,
        text: 'Richten Sie in Ihrem Konto eine Authenticator-App ein, oder melden Sie sich mit einem Passkey an.',
        action: 'Konto öffnen',
      },
      sign_in: {
        title: (organization) => `Neu anmelden für ${organization}`,
        text: 'Ihre Sitzung ist zu alt für diese Organisation, oder ein Administrator hat sie beendet. Melden Sie sich ab und wieder an, um sie zu öffnen.',
        action: 'Konto öffnen',
      },
      address_proof: {
        title: (organization) => `Bestätigen Sie Ihre Adresse für ${organization}`,
        text: 'Sie wurden dort hinzugefügt, aber Ihre Adresse ist noch nicht bestätigt. Wir schicken Ihnen einen Link, mit dem Sie ein neues Passwort festlegen und Ihre Adresse bestätigen. Alle aktuellen Sitzungen und Verbindungen enden dabei.',
        action: 'Link senden',
      },
      sign_on: {
        title: (organization) => `${organization} verlangt Single Sign-on`,
        text: 'Passwörter und Passkeys öffnen diese Organisation nicht. Melden Sie sich über Ihren Identitätsanbieter an.',
        action: 'Konto öffnen',
      },
    },
  },
  fr: {
    title: 'Second facteur',
    about:
      'Un code d’une app d’authentification, en plus de votre mot de passe. Qui connaît votre mot de passe ne peut pas se connecter sans lui.',
    off: 'Non configuré.',
    on: 'Activé',
    codesLeft: (left) =>
      plural.fr(left, {
        one: `Il vous reste ${left} code de récupération.`,
        other: `Il vous reste ${left} codes de récupération.`,
      }),
    setUp: 'Configurer',
    remove: 'Supprimer',
    renew: 'Nouveaux codes de récupération',
    code: 'Code',
    codeHint: 'Six chiffres de votre app, ou l’un de vos codes de récupération.',
    codeMissing: 'Saisissez le code.',
    step: {
      title: 'Encore une étape',
      about: 'Saisissez le code actuel de votre app d’authentification.',
      action: 'Continuer',
      back: 'Retour au mot de passe',
      lost: 'Téléphone perdu ? Saisissez l’un de vos codes de récupération, ou demandez à un administrateur de réinitialiser votre second facteur.',
    },
    setting: {
      title: 'Configurer un second facteur',
      password: 'Votre mot de passe',
      passwordAbout: 'Confirmez que c’est bien vous.',
      next: 'Continuer',
      scan: 'Scannez ce QR code avec une app d’authentification, comme celle de votre téléphone ou de votre gestionnaire de mots de passe.',
      qr: 'QR code pour votre app d’authentification',
      byHand: 'Ou saisissez cette clé dans l’app',
      code: 'Code de l’app',
      codeHint: 'Six chiffres. Ils changent toutes les 30 secondes.',
      action: 'Activer',
      effect: 'Cela vous déconnecte partout ailleurs.',
    },
    codes: {
      title: 'Vos codes de récupération',
      about:
        'Chaque code vous connecte une fois si vous perdez votre téléphone. Gardez-les ailleurs que sur votre téléphone. Ils ne seront plus affichés.',
      label: 'Codes de récupération',
      leave: 'Vos codes de récupération ne seront plus affichés. Les avez-vous enregistrés ?',
      action: 'Je les ai enregistrés',
    },
    removing: {
      title: 'Retirer votre second facteur ?',
      text: 'Vous vous connecterez avec votre seul mot de passe. Vous ne pourrez pas ouvrir les organisations qui exigent un second facteur tant que vous n’en aurez pas configuré un.',
      done: 'Second facteur retiré.',
    },
    renewing: {
      title: 'Créer de nouveaux codes de récupération ?',
      text: 'Vos codes actuels cessent de fonctionner.',
      action: 'Créer de nouveaux codes',
    },
    enabled: 'Second facteur activé.',
    needs: {
      second_factor: {
        title: (organization) => `${organization} exige un second facteur`,
        text: 'Configurez une app d’authentification dans votre compte, ou connectez-vous avec une clé d’accès.',
        action: 'Ouvrir votre compte',
      },
      sign_in: {
        title: (organization) => `Reconnectez-vous pour ${organization}`,
        text: 'Votre session est trop ancienne pour cette organisation, ou un administrateur y a mis fin. Déconnectez-vous et reconnectez-vous pour l’ouvrir.',
        action: 'Ouvrir votre compte',
      },
      address_proof: {
        title: (organization) => `Confirmez votre adresse pour ouvrir ${organization}`,
        text: 'On vous y a ajouté, mais votre adresse n’est pas encore confirmée. Nous vous enverrons un lien pour définir un nouveau mot de passe, ce qui confirme votre adresse. Cela met fin à toutes les sessions et connexions en cours.',
        action: 'Envoyer le lien',
      },
      sign_on: {
        title: (organization) => `${organization} exige l’authentification unique`,
        text: 'Les mots de passe et les clés d’accès n’ouvrent pas cette organisation. Connectez-vous via votre fournisseur d’identité.',
        action: 'Ouvrir votre compte',
      },
    },
  },
  es: {
    title: 'Segundo factor',
    about:
      'Un código de una app de autenticación, además de tu contraseña. Quien sepa tu contraseña no puede iniciar sesión sin él.',
    off: 'Sin configurar.',
    on: 'Activado',
    codesLeft: (left) =>
      plural.es(left, {
        one: 'Te queda 1 código de recuperación.',
        other: `Te quedan ${left} códigos de recuperación.`,
      }),
    setUp: 'Configurar',
    remove: 'Quitar',
    renew: 'Nuevos códigos de recuperación',
    code: 'Código',
    codeHint: 'Seis dígitos de tu app, o uno de tus códigos de recuperación.',
    codeMissing: 'Introduce el código.',
    step: {
      title: 'Un paso más',
      about: 'Introduce el código actual de tu app de autenticación.',
      action: 'Continuar',
      back: 'Volver a la contraseña',
      lost: '¿Perdiste el teléfono? Introduce uno de tus códigos de recuperación o pide a un administrador que restablezca tu segundo factor.',
    },
    setting: {
      title: 'Configurar un segundo factor',
      password: 'Tu contraseña',
      passwordAbout: 'Confirma que eres tú.',
      next: 'Continuar',
      scan: 'Escanea este código QR con una app de autenticación, como la de tu teléfono o tu gestor de contraseñas.',
      qr: 'Código QR para tu app de autenticación',
      byHand: 'O introduce esta clave en la app',
      code: 'Código de la app',
      codeHint: 'Seis dígitos. Cambian cada 30 segundos.',
      action: 'Activar',
      effect: 'Esto cierra tu sesión en todos los demás sitios.',
    },
    codes: {
      title: 'Tus códigos de recuperación',
      about:
        'Cada código te permite iniciar sesión una vez si pierdes el teléfono. Guárdalos fuera de él. No se vuelven a mostrar.',
      label: 'Códigos de recuperación',
      leave: 'Tus códigos de recuperación no se volverán a mostrar. ¿Los guardaste?',
      action: 'Ya los guardé',
    },
    removing: {
      title: '¿Quitar tu segundo factor?',
      text: 'Iniciarás sesión solo con tu contraseña. No podrás abrir organizaciones que exijan un segundo factor hasta que configures uno de nuevo.',
      done: 'Segundo factor quitado.',
    },
    renewing: {
      title: '¿Crear códigos de recuperación nuevos?',
      text: 'Tus códigos actuales dejan de funcionar.',
      action: 'Crear códigos nuevos',
    },
    enabled: 'Segundo factor activado.',
    needs: {
      second_factor: {
        title: (organization) => `${organization} exige un segundo factor`,
        text: 'Configura una app de autenticación en tu cuenta o inicia sesión con una llave de acceso.',
        action: 'Abrir tu cuenta',
      },
      sign_in: {
        title: (organization) => `Inicia sesión de nuevo para ${organization}`,
        text: 'Tu sesión es demasiado antigua para esta organización, o un administrador la terminó. Cierra sesión e iníciala de nuevo para abrirla.',
        action: 'Abrir tu cuenta',
      },
      address_proof: {
        title: (organization) => `Confirma tu dirección para abrir ${organization}`,
        text: 'Te añadieron ahí, pero tu dirección aún no está confirmada. Te enviaremos un enlace para poner una contraseña nueva, lo que confirma tu dirección. Esto termina todas las sesiones y conexiones actuales.',
        action: 'Enviar enlace',
      },
      sign_on: {
        title: (organization) => `${organization} exige el inicio de sesión único`,
        text: 'Las contraseñas y llaves de acceso no abren esta organización. Inicia sesión a través de tu proveedor de identidad.',
        action: 'Abrir tu cuenta',
      },
    },
  },
})
