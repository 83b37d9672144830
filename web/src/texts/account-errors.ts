import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that the views of an account get, and those before one is signed in: the chat does not wait for them. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'this assistant is not known here':
        'Parley does not know this assistant. Start again from the assistant.',
      'the address to return to is not one of this assistant':
        'The redirect address does not belong to this assistant.',
      'the description of this assistant could not be read':
        'The description of this assistant could not be read. Try again later.',
      'prove your e-mail address first':
        'Confirm your e-mail address first: your account page sends you a link.',
      'wrong code': 'This code is wrong or was already used.',
      'enter your password again': 'That took too long. Enter your password again.',
      'begin again': 'That took too long. Start again.',
      'wrong e-mail address or password': 'The e-mail address or the password is wrong.',
      'too many attempts, please wait': 'Too many attempts. Wait a few minutes, then try again.',
      'organizationName is required': 'Enter a name for the organization.',
      'adminName is required': 'Enter your name.',
    },
    de: {
      'this assistant is not known here':
        'Parley kennt diesen Assistenten nicht. Starten Sie noch einmal im Assistenten.',
      'the address to return to is not one of this assistant':
        'Die Weiterleitungsadresse gehört nicht zu diesem Assistenten.',
      'the description of this assistant could not be read':
        'Die Beschreibung dieses Assistenten konnte nicht gelesen werden. Versuchen Sie es später noch einmal.',
      'this organization does not allow assistants': 'Diese Organisation erlaubt keine Assistenten.',
      'the assistant does not ask for this': 'Das hat der Assistent nicht angefragt.',
      'Assistant not found': 'Dieser Assistent ist nicht mehr verbunden.',
      'scopes is required': 'Wählen Sie mindestens eine Berechtigung.',
      'wrong code': 'Dieser Code ist falsch oder wurde schon verwendet.',
      'code is required': 'Geben Sie den Code ein.',
      'enter your password again': 'Das hat zu lange gedauert. Geben Sie Ihr Passwort noch einmal ein.',
      'begin again': 'Das hat zu lange gedauert. Beginnen Sie noch einmal.',
      'a second factor is set up already': 'Ein zweiter Faktor ist schon eingerichtet.',
      'no second factor is set up': 'Es ist kein zweiter Faktor eingerichtet.',
      'set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein.',
      'prove your e-mail address first':
        'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Ihre Kontoseite schickt Ihnen einen Link.',
      'wrong e-mail address or password': 'E-Mail-Adresse oder Passwort ist falsch.',
      'wrong password': 'Das Passwort ist falsch.',
      'too many attempts, please wait':
        'Zu viele Versuche. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
      'this link does not work any more': 'Dieser Link gilt nicht mehr.',
      'this link is for addresses of other domains': 'Dieser Link ist für Adressen anderer Domains.',
      'invalid e-mail address': 'Das ist keine gültige E-Mail-Adresse.',
      'this e-mail address has an account already; use another one':
        'Zu dieser Adresse gibt es schon ein Konto. Verwenden Sie eine andere.',
      'password must have at least 10 characters': 'Das Passwort muss mindestens 10 Zeichen haben.',
      'password too long': 'Das Passwort ist zu lang.',
      'password is easy to guess': 'Dieses Passwort ist leicht zu erraten.',
      'password is required': 'Geben Sie ein Passwort ein.',
      'organizationName is required': 'Geben Sie einen Namen für die Organisation ein.',
      'adminName is required': 'Geben Sie Ihren Namen ein.',
      'Session not found': 'Diese Sitzung gibt es nicht mehr.',
      'the passkey could not be verified': 'Der Passkey konnte nicht geprüft werden.',
      'set a password first': 'Legen Sie zuerst ein Passwort fest.',
      'too many passkeys': 'Das sind zu viele Passkeys. Entfernen Sie zuerst einen anderen.',
      'Passkey not found': 'Diesen Passkey gibt es nicht mehr.',
      'organizationName may not contain control characters':
        'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
      'adminName may not contain control characters':
        'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
    },
  }),
)
