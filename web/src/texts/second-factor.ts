import { plural, texts } from './texts.ts'

export const secondFactor = texts({
  en: {
    title: 'Second factor',
    about:
      'A code from an authenticator app on your phone, asked for after your password. Whoever learns your password cannot get in without it.',
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
    codeMissing: 'Please enter the code.',
    step: {
      title: 'One more step',
      about: 'Enter the code that your authenticator app shows now.',
      action: 'Continue',
      back: 'Back to the password',
      lost: 'Lost your phone? Enter one of your recovery codes, or ask an admin to reset your second factor.',
    },
    setting: {
      title: 'Set up a second factor',
      password: 'Your password',
      passwordAbout: 'Please confirm that it is you.',
      next: 'Continue',
      scan: 'Scan this with an authenticator app, such as the one that came with your phone or your password manager.',
      qr: 'QR code for your authenticator app',
      byHand: 'Or type this key into the app',
      code: 'Code that the app shows',
      codeHint: 'Six digits. They change every 30 seconds.',
      action: 'Switch on',
      effect: 'You are signed out everywhere else.',
    },
    codes: {
      title: 'Your recovery codes',
      about:
        'Each of these signs you in once if you lose your phone. Keep them where your phone is not: they are not shown again.',
      label: 'Recovery codes',
      leave: 'Your recovery codes are not shown again. Have you kept them?',
      action: 'I have kept them',
    },
    removing: {
      title: 'Remove your second factor?',
      text: 'Your password alone signs you in from then on. Organizations that ask for a second factor stay closed until you set up another.',
      done: 'Your second factor was removed.',
    },
    renewing: {
      title: 'Make new recovery codes?',
      text: 'The codes that you have now stop working.',
      action: 'Make new codes',
    },
    enabled: 'Your second factor is on.',
    needs: {
      second_factor: {
        title: (organization: string) => `${organization} asks for a second factor`,
        text: 'Set up an authenticator app in your account, or sign in with a passkey. Then you are in.',
        action: 'To your account',
      },
      sign_in: {
        title: (organization: string) => `Sign in again for ${organization}`,
        text: 'An admin ended your sessions in this organization. Sign out and in again to come back.',
        action: 'To your account',
      },
      address_proof: {
        title: (organization: string) => `Confirm your address to open ${organization}`,
        text: 'You were added there, and nobody has proven yet that this address is yours. A mail brings you a link to set a new password; opening it proves your address. Everything that is signed in or connected now ends.',
        action: 'Send me the link',
      },
    },
  },
  de: {
    title: 'Zweiter Faktor',
    about:
      'Ein Code aus einer Authenticator-App auf Ihrem Telefon, nach dem Sie nach dem Passwort gefragt werden. Wer Ihr Passwort erfährt, kommt ohne ihn nicht hinein.',
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
    codeMissing: 'Bitte geben Sie den Code ein.',
    step: {
      title: 'Noch ein Schritt',
      about: 'Geben Sie den Code ein, den Ihre Authenticator-App gerade zeigt.',
      action: 'Weiter',
      back: 'Zurück zum Passwort',
      lost: 'Telefon verloren? Geben Sie einen Ihrer Wiederherstellungscodes ein, oder bitten Sie einen Administrator, Ihren zweiten Faktor zurückzusetzen.',
    },
    setting: {
      title: 'Zweiten Faktor einrichten',
      password: 'Ihr Passwort',
      passwordAbout: 'Bitte bestätigen Sie, dass Sie es sind.',
      next: 'Weiter',
      scan: 'Scannen Sie das mit einer Authenticator-App, etwa der Ihres Telefons oder Ihres Passwort-Managers.',
      qr: 'QR-Code für Ihre Authenticator-App',
      byHand: 'Oder tippen Sie diesen Schlüssel in die App',
      code: 'Code, den die App zeigt',
      codeHint: 'Sechs Ziffern. Sie ändern sich alle 30 Sekunden.',
      action: 'Einschalten',
      effect: 'Sie werden überall sonst abgemeldet.',
    },
    codes: {
      title: 'Ihre Wiederherstellungscodes',
      about:
        'Mit jedem davon melden Sie sich einmal an, falls Sie Ihr Telefon verlieren. Bewahren Sie sie getrennt vom Telefon auf: Sie werden nicht noch einmal gezeigt.',
      label: 'Wiederherstellungscodes',
      leave: 'Ihre Wiederherstellungscodes werden nicht noch einmal gezeigt. Haben Sie sie aufbewahrt?',
      action: 'Ich habe sie aufbewahrt',
    },
    removing: {
      title: 'Zweiten Faktor entfernen?',
      text: 'Danach genügt Ihr Passwort. Organisationen, die einen zweiten Faktor verlangen, bleiben Ihnen verschlossen, bis Sie einen neuen einrichten.',
      done: 'Ihr zweiter Faktor wurde entfernt.',
    },
    renewing: {
      title: 'Neue Wiederherstellungscodes?',
      text: 'Die Codes, die Sie jetzt haben, gelten dann nicht mehr.',
      action: 'Neue Codes erstellen',
    },
    enabled: 'Ihr zweiter Faktor ist eingeschaltet.',
    needs: {
      second_factor: {
        title: (organization) => `${organization} verlangt einen zweiten Faktor`,
        text: 'Richten Sie in Ihrem Konto eine Authenticator-App ein, oder melden Sie sich mit einem Passkey an. Dann sind Sie dabei.',
        action: 'Zu Ihrem Konto',
      },
      sign_in: {
        title: (organization) => `Neu anmelden für ${organization}`,
        text: 'Ein Administrator hat Ihre Sitzungen in dieser Organisation beendet. Melden Sie sich ab und wieder an, um zurückzukommen.',
        action: 'Zu Ihrem Konto',
      },
      address_proof: {
        title: (organization) => `Bestätigen Sie Ihre Adresse für ${organization}`,
        text: 'Sie wurden dort hinzugefügt, und noch niemand hat bewiesen, dass diese Adresse Ihnen gehört. Eine Mail bringt Ihnen einen Link, mit dem Sie ein neues Passwort setzen; damit ist Ihre Adresse bestätigt. Alles, was jetzt angemeldet oder verbunden ist, endet.',
        action: 'Link schicken',
      },
    },
  },
})
