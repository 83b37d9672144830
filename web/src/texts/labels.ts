import { plural, texts } from './texts.ts'

export const labels = texts({
  en: {
    title: 'Labels',
    about: 'Labels sort topics. Each topic carries one at most, and all bots share them.',
    new: 'New label',
    placeholder: 'Urgent',
    missing: 'Please give the label a name.',
    create: 'Create',
    created: (name: string) => `“${name}” was created.`,
    columns: { name: 'Name', topics: 'Topics' },
    none: { title: 'No labels yet', text: 'Create the first one above, such as “Urgent” or “Customers”.' },
    rename: {
      action: 'Rename',
      title: (name: string) => `Rename “${name}”`,
      name: 'Name',
      done: (name: string) => `It is called “${name}” now.`,
    },
    delete: {
      action: 'Delete',
      title: (name: string) => `Delete “${name}”?`,
      text: (topics: number) => {
        if (topics === 0) return 'No topic carries it.'
        return plural.en(topics, {
          one: 'One topic carries it and will have no label. The topic itself stays.',
          other: `${topics} topics carry it and will have no label. The topics themselves stay.`,
        })
      },
      done: (name: string) => `“${name}” was deleted.`,
    },
  },
  de: {
    title: 'Labels',
    about: 'Labels ordnen Themen. Jedes Thema trägt höchstens eines, und alle Bots teilen sie.',
    new: 'Neues Label',
    placeholder: 'Dringend',
    missing: 'Bitte geben Sie dem Label einen Namen.',
    create: 'Anlegen',
    created: (name) => `„${name}“ wurde angelegt.`,
    columns: { name: 'Name', topics: 'Themen' },
    none: { title: 'Noch keine Labels', text: 'Legen Sie oben das erste an, etwa „Dringend“ oder „Kunden“.' },
    rename: {
      action: 'Umbenennen',
      title: (name) => `„${name}“ umbenennen`,
      name: 'Name',
      done: (name) => `Es heißt jetzt „${name}“.`,
    },
    delete: {
      action: 'Löschen',
      title: (name) => `„${name}“ löschen?`,
      text: (topics) => {
        if (topics === 0) return 'Kein Thema trägt es.'
        return plural.de(topics, {
          one: 'Ein Thema trägt es und hat dann kein Label mehr. Das Thema selbst bleibt.',
          other: `${topics} Themen tragen es und haben dann kein Label mehr. Die Themen selbst bleiben.`,
        })
      },
      done: (name) => `„${name}“ wurde gelöscht.`,
    },
  },
})
