import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that the views of an account get, and those before one is signed in: the chat does not wait for them. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'this assistant is not known here': 'This assistant is not known here. Start again from the assistant.',
      'the address to return to is not one of this assistant':
        'The address that access would go to does not belong to this assistant.',
      'the description of this assistant could not be read':
        'The description of this assistant could not be read. Try again later.',
      'prove your e-mail address first':
        'Confirm your e-mail address first: your account page sends you a link.',
      'wrong code': 'This code is wrong, or it was used already.',
      'enter your password again': 'That took too long. Please enter your password again.',
      'begin again': 'That took too long. Please begin again.',
      'wrong e-mail address or password': 'The e-mail address or the password is wrong.',
      'too many attempts, please wait': 'Too many attempts. Please wait a while.',
      'organizationName is required': 'Please give the name of the organization.',
      'adminName is required': 'Please give your name.',
    },
    de: {
      'this assistant is not known here':
        'Dieser Assistent ist hier nicht bekannt. Beginnen Sie dort noch einmal.',
      'the address to return to is not one of this assistant':
        'Die Adresse, an die der Zugang gehen soll, gehört nicht zu diesem Assistenten.',
      'the description of this assistant could not be read':
        'Die Beschreibung dieses Assistenten konnte nicht gelesen werden. Versuchen Sie es später noch einmal.',
      'this organization does not allow assistants': 'Diese Organisation erlaubt keine Assistenten.',
      'the assistant does not ask for this': 'Darum bittet der Assistent nicht.',
      'Assistant not found': 'Dieser Assistent ist nicht mehr verbunden.',
      'scopes is required': 'Bitte wählen Sie aus, was der Assistent darf.',
      'wrong code': 'Dieser Code ist falsch, oder er wurde schon benutzt.',
      'code is required': 'Bitte geben Sie den Code ein.',
      'enter your password again': 'Das hat zu lange gedauert. Bitte geben Sie Ihr Passwort noch einmal ein.',
      'begin again': 'Das hat zu lange gedauert. Bitte fangen Sie noch einmal an.',
      'a second factor is set up already': 'Ein zweiter Faktor ist schon eingerichtet.',
      'no second factor is set up': 'Es ist kein zweiter Faktor eingerichtet.',
      'set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein.',
      'prove your e-mail address first':
        'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Ihre Kontoseite schickt Ihnen einen Link.',
      'wrong e-mail address or password': 'E-Mail-Adresse oder Passwort ist falsch.',
      'wrong password': 'Das Passwort ist falsch.',
      'too many attempts, please wait': 'Zu viele Versuche. Bitte warten Sie ein wenig.',
      'this link does not work any more': 'Dieser Link gilt nicht mehr.',
      'this link is for addresses of other domains': 'Dieser Link ist für Adressen anderer Domains.',
      'invalid e-mail address': 'Das ist keine E-Mail-Adresse.',
      'this e-mail address has an account already; use another one':
        'Zu dieser Adresse gibt es schon ein Konto. Verwenden Sie eine andere.',
      'password must have at least 10 characters': 'Ein Passwort hat mindestens 10 Zeichen.',
      'password too long': 'Das Passwort ist zu lang.',
      'password is easy to guess': 'Dieses Passwort ist leicht zu erraten.',
      'password is required': 'Bitte geben Sie ein Passwort an.',
      'organizationName is required': 'Bitte geben Sie den Namen der Organisation an.',
      'adminName is required': 'Bitte geben Sie Ihren Namen an.',
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
