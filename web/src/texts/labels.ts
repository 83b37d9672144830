import { plural, texts } from './texts.ts'

export const labels = texts({
  en: {
    title: 'Labels',
    about: 'Labels sort topics. A topic can have one label, and all bots share the same labels.',
    new: 'New label',
    placeholder: 'Urgent',
    missing: 'Enter a name for the label.',
    create: 'Create',
    created: (name: string) => `“${name}” created.`,
    columns: { name: 'Name', topics: 'Topics' },
    none: { title: 'No labels yet', text: 'Create the first one above, such as “Urgent” or “Customers”.' },
    rename: {
      action: 'Rename',
      title: (name: string) => `Rename “${name}”`,
      name: 'Name',
      done: (name: string) => `Renamed to “${name}”.`,
    },
    delete: {
      action: 'Delete',
      title: (name: string) => `Delete “${name}”?`,
      text: (topics: number) => {
        if (topics === 0) return 'Not used in any topic.'
        return plural.en(topics, {
          one: 'It will be removed from 1 topic. The topic itself stays.',
          other: `It will be removed from ${topics} topics. The topics themselves stay.`,
        })
      },
      done: (name: string) => `“${name}” deleted.`,
    },
  },
  de: {
    title: 'Labels',
    about: 'Labels ordnen Themen. Ein Thema kann ein Label haben, und alle Bots verwenden dieselben Labels.',
    new: 'Neues Label',
    placeholder: 'Dringend',
    missing: 'Geben Sie einen Namen für das Label ein.',
    create: 'Anlegen',
    created: (name) => `„${name}“ wurde angelegt.`,
    columns: { name: 'Name', topics: 'Themen' },
    none: { title: 'Noch keine Labels', text: 'Legen Sie oben das erste an, etwa „Dringend“ oder „Kunden“.' },
    rename: {
      action: 'Umbenennen',
      title: (name) => `„${name}“ umbenennen`,
      name: 'Name',
      done: (name) => `In „${name}“ umbenannt.`,
    },
    delete: {
      action: 'Löschen',
      title: (name) => `„${name}“ löschen?`,
      text: (topics) => {
        if (topics === 0) return 'Wird in keinem Thema verwendet.'
        return plural.de(topics, {
          one: 'Es wird aus 1 Thema entfernt. Das Thema selbst bleibt.',
          other: `Es wird aus ${topics} Themen entfernt. Die Themen selbst bleiben.`,
        })
      },
      done: (name) => `„${name}“ wurde gelöscht.`,
    },
  },
})
