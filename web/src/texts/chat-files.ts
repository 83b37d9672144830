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
    noPreview: 'The preview could not be loaded. Download the file to see it.',
    notText: 'This file holds more than text. Download it to see it.',
    noPdfViewer: 'This browser does not show PDF files. Download the file to see it.',
    loading: 'Loading',
    gone: 'This file could not be loaded. It may have been deleted.',
    tooLarge: (name: string, size: string, limit: string) =>
      `${name} is too large: ${size}. A file may have up to ${limit} here.`,
    empty: (name: string) => `${name} is empty and was left out.`,
    folder: (name: string) => `${name} is a folder. Send the files in it, or a ZIP of it.`,
    damaged: (name: string) => `${name} is a damaged picture and cannot be sent.`,
    pixels: (name: string) => `${name} has too many pixels. Make it smaller and try again.`,
    unreadable: (name: string) => `${name} could not be read. Was it moved or deleted?`,
    tooMany: (count: number) => `A message takes up to ${count} files.`,
  },
  de: {
    viewer: 'Dateien dieser Unterhaltung',
    pictureBy: (name, sender) => `${name}, gesendet von ${sender}`,
    position: (number, count) => `${number} von ${count}`,
    previous: 'Vorheriges Bild',
    next: 'Nächstes Bild',
    download: (name) => `${name} herunterladen`,
    close: 'Schließen',
    beginning: (size) => `Die ersten ${size}. Den Rest enthält die heruntergeladene Datei.`,
    partOfTable: 'Das ist ein Teil der Tabelle. Den Rest enthält die heruntergeladene Datei.',
    noPreview: 'Die Vorschau ließ sich nicht laden. Laden Sie die Datei herunter, um sie anzusehen.',
    notText: 'Diese Datei enthält mehr als Text. Laden Sie sie herunter, um sie anzusehen.',
    noPdfViewer: 'Dieser Browser zeigt keine PDF-Dateien. Laden Sie die Datei herunter, um sie anzusehen.',
    loading: 'Wird geladen',
    gone: 'Diese Datei ließ sich nicht laden. Vielleicht wurde sie gelöscht.',
    tooLarge: (name, size, limit) =>
      `${name} ist zu groß: ${size}. Eine Datei darf hier bis zu ${limit} haben.`,
    empty: (name) => `${name} ist leer und wurde weggelassen.`,
    folder: (name) => `${name} ist ein Ordner. Senden Sie die Dateien darin oder ein ZIP davon.`,
    damaged: (name) => `${name} ist ein beschädigtes Bild und lässt sich nicht senden.`,
    pixels: (name) =>
      `${name} hat zu viele Bildpunkte. Verkleinern Sie das Bild und versuchen Sie es erneut.`,
    unreadable: (name) => `${name} ließ sich nicht lesen. Wurde die Datei verschoben oder gelöscht?`,
    tooMany: (count) => `Eine Nachricht nimmt bis zu ${count} Dateien auf.`,
  },
})
