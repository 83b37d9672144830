import { addSentences, type Sentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that only the console gets: the chat does not wait for them. */
addSentences(
  byLanguage<Sentences>({
    en: {
      second_factor_unused:
        'Sign in with a second factor yourself first, so that you do not lock yourself out.',
      invitations_limited: 'Too many invitations. Wait a few minutes, then try again.',
      email_known: 'This address already belongs to a member.',
      guests_for_admins: 'Only admins bring guests into topics here.',
      guest_end_past: 'Choose a time in the future. Set a later end of access first, or none.',
      closed_topic_addition: 'Only members of this closed topic can add others to it.',
      closed_topic_opening: 'Only somebody who is in this closed topic can open it.',
      closed_topic_reach: 'Only members of this closed topic can let a bot hear more of it.',
    },
    de: {
      second_factor_unused:
        'Melden Sie sich zuerst selbst mit einem zweiten Faktor an, damit Sie sich nicht aussperren.',
      sign_on_for_owners: 'Über Single Sign-on entscheiden nur Eigentümer.',
      sign_in_days_for_owners: 'Wann sich Mitglieder neu anmelden, entscheiden nur Eigentümer.',
      sign_on_unused: 'Melden Sie sich zuerst selbst mit Single Sign-on an.',
      second_factor_for_owners: 'Über den zweiten Faktor entscheiden nur Eigentümer.',
      member_elsewhere:
        'Diese Person gehört auch zu anderen Organisationen. Bitten Sie den Betreiber des Servers darum.',
      invitations_limited:
        'Zu viele Einladungen. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
      domain_invalid: 'Das ist keine gültige Domain. Beispiel: example.com.',
      join_links_full:
        'Eine Organisation kann höchstens 100 offene Links haben. Widerrufen Sie zuerst einen.',
      join_link_not_found: 'Diesen Link gibt es nicht mehr.',
      agent_signup_for_home:
        'Über die Registrierung von Agenten entscheiden die Eigentümer der Heimatorganisation dieses Servers.',
      email_known: 'Diese Adresse gehört schon einem Mitglied.',
      guest_terms_for_guests: 'Themen und ein Ende des Zugangs gibt es nur bei Gästen.',
      guest_end_past:
        'Das Ende des Zugangs muss in der Zukunft liegen. Setzen Sie zuerst ein späteres oder keines.',
      closed_topic_addition: 'Nur Mitglieder dieses geschlossenen Themas können andere hinzufügen.',
      closed_topic_opening: 'Nur Mitglieder dieses geschlossenen Themas können es öffnen.',
      closed_topic_reach:
        'Nur Mitglieder dieses geschlossenen Themas können einen Bot darin mehr hören lassen.',
      owners_are_for_owners: 'Über Eigentümer entscheiden nur Eigentümer.',
      member_not_pending: 'Dieses Mitglied ist nicht mehr eingeladen.',
      owner_required: 'Eine Organisation braucht einen Eigentümer.',
      member_is_self: 'Sich selbst können Sie weder archivieren noch löschen.',
      member_pending: 'Ein eingeladenes Mitglied wird aktiv, wenn es die Einladung annimmt.',
      member_deleted: 'Ein gelöschtes Mitglied können Sie neu einladen.',
      label_name_taken: 'Ein Label dieses Namens gibt es schon.',
      label_not_found: 'Dieses Label gibt es nicht mehr.',
      org_unit_tag_taken: 'Dieses Kürzel gibt es schon.',
      'field_invalid.tag': 'Ein Kürzel ist ein Wort ohne @ und ohne unsichtbare Zeichen.',
      org_unit_not_found: 'Diese Einheit gibt es nicht mehr.',
      'field_too_long.tag': 'Das Kürzel ist zu lang.',
      'field_required.tag': 'Geben Sie ein Kürzel ein.',
      'field_invalid.ownerId': 'Wählen Sie eine aktive Person der Organisation.',
      webhook_header_name_invalid:
        'Der Name eines Headers hat 1 bis 64 Buchstaben, Ziffern und Bindestriche und ist keiner, den Parley selbst verwendet.',
      webhook_header_value_invalid: 'Der Wert eines Headers hat 1 bis 1000 druckbare Zeichen.',
      webhook_headers_full: 'Es kann höchstens 10 Header geben.',
      webhook_url_invalid: 'Die Adresse muss mit http oder https beginnen, etwa https://example.com/events.',
      webhook_url_has_credentials:
        'Die Adresse darf weder Benutzername noch Passwort enthalten; prüfen Sie stattdessen die Signatur der Aufrufe.',
      incoming_template_misplaced: 'Eine Vorlage gibt es nur für beliebiges JSON.',
      bot_may_not_send: 'Der Bot darf keine Nachrichten senden.',
      webhook_url_known: 'Diese Adresse hat der Bot schon.',
      webhook_addresses_full: 'Ein Bot kann höchstens 5 Adressen haben.',
      webhook_address_not_found: 'Diese Adresse gibt es nicht mehr.',
      incoming_webhooks_full: 'Ein Bot kann höchstens 50 eingehende Webhooks haben.',
      incoming_webhook_not_found: 'Diesen eingehenden Webhook gibt es nicht mehr.',
      'field_invalid.secret': 'Ein Geheimnis besteht aus druckbaren ASCII-Zeichen ohne Leerzeichen.',
      incoming_secret_invalid: 'Nach whsec_ müssen mindestens 24 Byte in Base64 folgen.',
      'field_too_short.secret': 'Ein Geheimnis muss mindestens 8 Zeichen haben.',
      'field_too_long.url': 'Die Adresse ist zu lang.',
      'field_too_long.webhookUrl': 'Die Adresse ist zu lang.',
      'field_required.webhookUrl': 'Geben Sie eine Adresse ein.',
      permission_not_applicable: 'Diese Berechtigung gilt nur für Bots mit API-Schlüssel.',
      signature_version_not_applicable: 'Signaturen gibt es nur bei Bots mit API-Schlüssel.',
      scopes_not_applicable: 'Scopes gelten nur für Bots mit OAuth.',
      webhook_not_enabled: 'Dieser Bot verwendet Long Polling.',
      bot_not_active: 'Dieser Bot ist abgeschaltet.',
      delivery_not_found: 'Diese Zustellung gibt es nicht mehr.',
      bot_has_no_key: 'Ein Bot mit OAuth hat keinen API-Schlüssel.',
      bot_signs_nothing: 'Ein Bot mit OAuth signiert seine Anfragen nicht.',
    },
  }),
)
