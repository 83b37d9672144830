import { texts } from './texts.ts'

/** Files in messages, looked at and before they are sent. */
export const fileTexts = texts({
  en: {
    viewer: 'Files of this conversation',
    pictureBy: (name: string, sender: string) => `${name}, sent by ${sender}`,
    position: (number: number, count: number) => `${number} of ${count}`,
    previous: 'Previous picture',
    next: 'Next picture',
    download: (name: string) => `Download ${name}`,
    close: 'Close',
    beginning: (size: string) => `The first ${size}. Download the file for the rest.`,
    partOfTable: 'This is part of the table. Download the file for the rest.',
    noPreview: 'Could not load the preview. Download the file to see it.',
    notText: 'This file is not plain text. Download it to see it.',
    noPdfViewer: 'This browser does not show PDF files. Download the file to see it.',
    loading: 'Loading',
    gone: 'Could not load this file. It may have been deleted.',
    tooLarge: (name: string, size: string, limit: string) =>
      `${name} is too large: ${size}. The limit is ${limit}.`,
    empty: (name: string) => `${name} is empty and was not added.`,
    folder: (name: string) => `${name} is a folder. Send its files, or a ZIP of it.`,
    damaged: (name: string) => `${name} is a damaged picture and cannot be sent.`,
    pixels: (name: string) => `${name} has too many pixels. Make it smaller and try again.`,
    unreadable: (name: string) => `Could not read ${name}. It may have been moved or deleted.`,
    tooMany: (count: number) => `You can attach up to ${count} files.`,
  },
  de: {
    viewer: 'Dateien dieser Unterhaltung',
    pictureBy: (name, sender) => `${name}, gesendet von ${sender}`,
    position: (number, count) => `${number} von ${count}`,
    previous: 'Vorheriges Bild',
    next: 'Nächstes Bild',
    download: (name) => `${name} herunterladen`,
    close: 'Schließen',
    beginning: (size) => `Die ersten ${size}. Laden Sie die Datei für den Rest herunter.`,
    partOfTable: 'Das ist ein Teil der Tabelle. Laden Sie die Datei für den Rest herunter.',
    noPreview: 'Die Vorschau konnte nicht geladen werden. Laden Sie die Datei herunter, um sie anzusehen.',
    notText: 'Diese Datei ist keine reine Textdatei. Laden Sie sie herunter, um sie anzusehen.',
    noPdfViewer: 'Dieser Browser zeigt keine PDF-Dateien. Laden Sie die Datei herunter, um sie anzusehen.',
    loading: 'Wird geladen',
    gone: 'Diese Datei konnte nicht geladen werden. Vielleicht wurde sie gelöscht.',
    tooLarge: (name, size, limit) => `${name} ist zu groß: ${size}. Die Grenze liegt bei ${limit}.`,
    empty: (name) => `${name} ist leer und wurde nicht hinzugefügt.`,
    folder: (name) => `${name} ist ein Ordner. Senden Sie die Dateien darin oder ein ZIP davon.`,
    damaged: (name) => `${name} ist ein beschädigtes Bild und lässt sich nicht senden.`,
    pixels: (name) =>
      `${name} hat zu viele Bildpunkte. Verkleinern Sie das Bild und versuchen Sie es erneut.`,
    unreadable: (name) =>
      `${name} konnte nicht gelesen werden. Vielleicht wurde die Datei verschoben oder gelöscht.`,
    tooMany: (count) => `Sie können bis zu ${count} Dateien anhängen.`,
  },
})
