import { addSentences, type Sentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that the views of an account get, and those before one is signed in: the chat does not wait for them. */
addSentences(
  byLanguage<Sentences>({
    en: {
      assistant_unknown: 'Parley does not know this assistant. Start again from the assistant.',
      assistant_redirect_foreign: 'The redirect address does not belong to this assistant.',
      assistant_description_unreadable:
        'The description of this assistant could not be read. Try again later.',
      address_proof_required: 'Confirm your e-mail address first: your account page sends you a link.',
      sign_in_code_wrong: 'This code is wrong or was already used.',
      code_wrong: 'This code is wrong or was already used.',
      sign_in_code_late: 'That took too long. Enter your password again.',
      second_factor_setup_expired: 'That took too long. Start again.',
      sign_in_wrong: 'The e-mail address or the password is wrong.',
      directory_sign_in_wrong:
        'The user name or the password is wrong, or you are not let in here. If you are sure of both, ask an admin.',
      directory_away: 'The directory does not answer. Try again in a few minutes, or ask an admin.',
      attempts_limited: 'Too many attempts. Wait a few minutes, then try again.',
      'field_required.organizationName': 'Enter a name for the organization.',
      'field_required.adminName': 'Enter your name.',
    },
    de: {
      assistant_unknown: 'Parley kennt diesen Assistenten nicht. Starten Sie noch einmal im Assistenten.',
      assistant_redirect_foreign: 'Die Weiterleitungsadresse gehört nicht zu diesem Assistenten.',
      assistant_description_unreadable:
        'Die Beschreibung dieses Assistenten konnte nicht gelesen werden. Versuchen Sie es später noch einmal.',
      assistant_request_invalid: 'Die Anfrage des Assistenten ist nicht gültig.',
      assistants_not_allowed: 'Diese Organisation erlaubt keine Assistenten.',
      assistant_scope_not_requested: 'Das hat der Assistent nicht angefragt.',
      assistant_not_found: 'Dieser Assistent ist nicht mehr verbunden.',
      'field_out_of_range.scopes': 'Wählen Sie mindestens eine Berechtigung.',
      sign_in_code_wrong: 'Dieser Code ist falsch oder wurde schon verwendet.',
      code_wrong: 'Dieser Code ist falsch oder wurde schon verwendet.',
      'field_required.code': 'Geben Sie den Code ein.',
      sign_in_code_late: 'Das hat zu lange gedauert. Geben Sie Ihr Passwort noch einmal ein.',
      second_factor_setup_expired: 'Das hat zu lange gedauert. Beginnen Sie noch einmal.',
      second_factor_exists: 'Ein zweiter Faktor ist schon eingerichtet.',
      second_factor_missing: 'Es ist kein zweiter Faktor eingerichtet.',
      second_factor_required: 'Richten Sie zuerst einen zweiten Faktor ein.',
      sign_on_required: 'Melden Sie sich mit Single Sign-on an.',
      address_proof_required:
        'Bestätigen Sie zuerst Ihre E-Mail-Adresse: Ihre Kontoseite schickt Ihnen einen Link.',
      sign_in_wrong: 'E-Mail-Adresse oder Passwort ist falsch.',
      directory_sign_in_wrong:
        'Benutzername oder Passwort ist falsch, oder Sie haben hier keinen Zugang. Wenn beides stimmt, fragen Sie einen Admin.',
      directory_away:
        'Das Verzeichnis antwortet nicht. Versuchen Sie es in ein paar Minuten noch einmal, oder fragen Sie einen Admin.',
      password_wrong: 'Das Passwort ist falsch.',
      attempts_limited:
        'Zu viele Versuche. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
      link_not_valid: 'Dieser Link gilt nicht mehr.',
      email_domain_foreign: 'Dieser Link ist für Adressen anderer Domains.',
      email_invalid: 'Das ist keine gültige E-Mail-Adresse.',
      email_has_account: 'Zu dieser Adresse gibt es schon ein Konto. Verwenden Sie eine andere.',
      password_too_short: 'Das Passwort muss mindestens 10 Zeichen haben.',
      'field_too_long.password': 'Das Passwort ist zu lang.',
      password_easy: 'Dieses Passwort ist leicht zu erraten.',
      'field_required.password': 'Geben Sie ein Passwort ein.',
      'field_required.organizationName': 'Geben Sie einen Namen für die Organisation ein.',
      'field_required.adminName': 'Geben Sie Ihren Namen ein.',
      session_not_found: 'Diese Sitzung gibt es nicht mehr.',
      sign_in_passkey_rejected: 'Der Passkey konnte nicht geprüft werden.',
      passkey_not_verified: 'Der Passkey konnte nicht geprüft werden.',
      password_required_first: 'Legen Sie zuerst ein Passwort fest.',
      passkeys_full: 'Das sind zu viele Passkeys. Entfernen Sie zuerst einen anderen.',
      passkey_not_found: 'Diesen Passkey gibt es nicht mehr.',
      'field_invalid.organizationName':
        'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
      'field_invalid.adminName': 'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
    },
  }),
)
