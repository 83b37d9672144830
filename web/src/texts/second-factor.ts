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
})
