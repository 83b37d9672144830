import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals of messages, searches, answers and notifications: they come with the composer, after the first message is shown. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'quiet hours must end at another time than they begin':
        'Ruhezeiten müssen zu einer anderen Zeit enden, als sie beginnen.',
      'this is not the address of a push service': 'Das ist keine Adresse eines Push-Dienstes.',
      'this server sends no push messages': 'Dieser Server verschickt keine Push-Nachrichten.',
      'too many pinned messages, unpin one first':
        'Hier sind zu viele Nachrichten angeheftet. Lösen Sie zuerst eine.',
      'before, after and around cannot be used together': 'Die Anfrage war nicht lesbar.',
      'readTo and unreadFrom cannot be used together': 'Die Anfrage war nicht lesbar.',
      'text has a word that this organization does not allow':
        'Der Text enthält ein Wort, das diese Organisation nicht erlaubt.',
      'q is required': 'Geben Sie einen Suchbegriff ein.',
      'q has more than 20 words': 'Eine Suche kann höchstens 20 Wörter haben.',
      'q too long': 'Diese Suche ist zu lang.',
      'has: takes file, image, video, voice, link, task or poll':
        'Nach has: steht file, image, video, voice, link, task oder poll.',
      'before:, after: and on: take a day such as 2026-03-31':
        'Nach before:, after: und on: steht ein Tag wie 2026-03-31.',
      'bots are stopped in this topic until a person writes there':
        'Bots sind in diesem Thema gestoppt, bis eine Person dort schreibt.',
      'the budget of the bot for today is used up': 'Das Budget des Bots für heute ist aufgebraucht.',
      'bots answer each other too often in this topic, wait':
        'Bots antworten einander in diesem Thema zu oft. Warten Sie einen Moment.',
      'several bots have this command, mention one':
        'Mehrere Bots kennen diesen Befehl. Erwähnen Sie den, den Sie meinen.',
      'already answered': 'Das ist schon beantwortet.',
      'it is too late to answer': 'Für eine Antwort ist es zu spät.',
      'this changed while you were looking; read it again':
        'Das hat sich inzwischen geändert. Lesen Sie es noch einmal.',
      'reload the page to answer': 'Laden Sie die Seite neu, um zu antworten.',
      'the question was answered: send actions with the text, null to end it':
        'Darauf wurde schon geantwortet. Der Text ändert sich nur noch mit einer neuen Frage.',
      'the bot has left the topic': 'Der Bot ist nicht mehr in diesem Thema.',
      'Invalid elementId': 'Diese Auswahl gibt es nicht.',
      'Invalid value': 'Diese Auswahl gibt es nicht.',
      'Invalid values': 'Ein Wert passt nicht zu seinem Feld.',
      'values must have every required field': 'Füllen Sie alle Pflichtfelder aus.',
      'streaming and actions cannot be used together':
        'Schaltflächen kommen erst hinzu, wenn die Nachricht fertig ist.',
      'ids must differ': 'Jedes Element braucht eine eigene ID.',
      'values of options must differ': 'Jede Auswahl braucht einen eigenen Wert.',
      'options and fields cannot be used together':
        'Ein Element ist entweder eine Auswahl oder ein Formular.',
      'options are for fields of type choice': 'Auswahlmöglichkeiten gehören zu Feldern mit Auswahl.',
      'people is for who people': 'Personen werden nur genannt, wenn nur sie antworten dürfen.',
      'Invalid people': 'Wer antworten soll, muss im Thema sein.',
      'actions too large': 'Das sind zu viele Schaltflächen.',
      'message is finished': 'Diese Nachricht ist schon fertig.',
      'too many messages are being streamed': 'Dieser Bot schreibt schon an zu vielen Nachrichten.',
      'topicId and channelID differ': 'Die Anfrage nennt zwei verschiedene Themen.',
      'name and title cannot be used together': 'Eine Aufgabe hat nur einen Titel.',
    },
  }),
)
