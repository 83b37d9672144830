import { addSentences, type Sentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals of messages, searches, answers and notifications: they come with the composer, after the first message is shown. */
addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      quiet_hours_empty: 'Ruhezeiten müssen zu einer anderen Zeit enden, als sie beginnen.',
      push_address_invalid: 'Das ist keine Adresse eines Push-Dienstes.',
      push_not_available: 'Dieser Server verschickt keine Push-Nachrichten.',
      topic_pins_full: 'Hier sind zu viele Nachrichten angeheftet. Lösen Sie zuerst eine.',
      word_blocked: 'Der Text enthält ein Wort, das diese Organisation nicht erlaubt.',
      'field_required.q': 'Geben Sie einen Suchbegriff ein.',
      search_too_long: 'Eine Suche kann höchstens 20 Wörter haben.',
      'field_too_long.q': 'Diese Suche ist zu lang.',
      search_kind_unknown:
        'Nach has: steht file, image, video, voice, link, task, poll, reaction, pin oder ein Emoji.',
      search_state_unknown: 'Nach is: steht thread.',
      search_operator_unknown:
        'Diesen Suchoperator gibt es nicht. Um nach dem Text selbst zu suchen, setzen Sie ihn in Anführungszeichen.',
      search_day_invalid:
        'Nach before:, after:, on: und during: steht ein Tag wie 2026-03-31, today oder yesterday, ein Monat wie 2026-03 oder ein Jahr.',
      search_period_combined:
        'before:, after:, on: und during: lassen sich weder ausschließen noch mit OR verbinden.',
      bots_stopped: 'Bots sind in diesem Thema gestoppt, bis eine Person dort schreibt.',
      bot_budget_spent: 'Das Budget des Bots für heute ist aufgebraucht.',
      bots_slowed: 'Bots antworten einander in diesem Thema zu oft. Warten Sie einen Moment.',
      command_ambiguous: 'Mehrere Bots kennen diesen Befehl. Erwähnen Sie den, den Sie meinen.',
      answer_given: 'Das ist schon beantwortet.',
      answer_too_late: 'Für eine Antwort ist es zu spät.',
      question_changed: 'Das hat sich inzwischen geändert. Lesen Sie es noch einmal.',
      question_outdated: 'Laden Sie die Seite neu, um zu antworten.',
      question_answered:
        'Darauf wurde schon geantwortet. Der Text ändert sich nur noch mit einer neuen Frage.',
      question_not_found: 'Diese Frage gibt es nicht.',
      question_expiry_too_far: 'So lange kann eine Frage nicht offen bleiben.',
      direct_messages_off: 'Dieser Bot darf keine Direktnachrichten öffnen. Ein Admin kann es erlauben.',
      private_answer_member_invalid: 'Privat antworten lässt sich nur einer Person in diesem Thema.',
      private_answer_not_found: 'Diese private Antwort gibt es nicht mehr.',
      command_argument_missing: 'Diesem Befehl fehlt ein Argument.',
      command_argument_wrong: 'Ein Argument dieses Befehls passt nicht zu seiner Art.',
      command_arguments_invalid: 'Nur Argumente der Art choice haben Optionen, und verlangte stehen vorn.',
      command_fields_too_large: 'Die Formulare der Befehle sind zusammen zu groß.',
      command_form_missing:
        'Dieser Befehl öffnet ein Formular. Laden Sie die Seite neu, und geben Sie ihn noch einmal ein.',
      command_form_unknown: 'Dieser Befehl hat hier kein Formular mehr.',
      question_key_taken: 'Unter diesem Schlüssel steht schon eine andere Frage.',
      questions_full: 'Zu viele Fragen sind noch offen.',
      question_bot_left: 'Der Bot ist nicht mehr in diesem Thema.',
      'field_invalid.elementId': 'Diese Auswahl gibt es nicht.',
      'field_invalid.value': 'Diese Auswahl gibt es nicht.',
      'field_invalid.values': 'Ein Wert passt nicht zu seinem Feld.',
      'field_out_of_range.values': 'Eine Zahl ist zu klein oder zu groß.',
      answer_incomplete: 'Füllen Sie alle Pflichtfelder aus.',
      action_ids_repeated: 'Jedes Element braucht eine eigene ID.',
      action_option_values_repeated: 'Jede Auswahl braucht einen eigenen Wert.',
      action_options_misplaced: 'Auswahlmöglichkeiten gehören zu Feldern mit Auswahl.',
      action_range_invalid: 'min und max gehören zu Feldern mit Zahlen, und min ist nicht größer als max.',
      action_people_misplaced: 'Personen werden nur genannt, wenn nur sie antworten dürfen.',
      action_people_invalid: 'Wer antworten soll, muss im Thema sein.',
      actions_too_large: 'Das sind zu viele Schaltflächen.',
      step_ids_repeated: 'Jeder Schritt braucht eine eigene ID.',
      progress_too_large: 'Schritte und Quellen sind zu groß.',
      stream_finished: 'Diese Nachricht ist schon fertig.',
      streams_full: 'Dieser Bot schreibt schon an zu vielen Nachrichten.',
      topic_ids_differ: 'Die Anfrage nennt zwei verschiedene Themen.',
    },
  }),
)
