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
  fr: {
    title: 'Étiquettes',
    about:
      'Les étiquettes classent les sujets. Un sujet peut avoir une étiquette, et tous les bots partagent les mêmes étiquettes.',
    new: 'Nouvelle étiquette',
    placeholder: 'Urgent',
    missing: 'Saisissez un nom pour l’étiquette.',
    create: 'Créer',
    created: (name) => `« ${name} » créée.`,
    columns: {
      name: 'Nom',
      topics: 'Sujets',
    },
    none: {
      title: 'Aucune étiquette pour l’instant',
      text: 'Créez la première ci-dessus, par exemple « Urgent » ou « Clients ».',
    },
    rename: {
      action: 'Renommer',
      title: (name) => `Renommer « ${name} »`,
      name: 'Nom',
      done: (name) => `Renommée en « ${name} ».`,
    },
    delete: {
      action: 'Supprimer',
      title: (name) => `Supprimer « ${name} » ?`,
      text: (topics) => {
        if (topics === 0) return 'Utilisée dans aucun sujet.'
        return plural.fr(topics, {
          one: `Elle sera retirée de ${topics} sujet. Le sujet lui-même reste.`,
          other: `Elle sera retirée de ${topics} sujets. Les sujets eux-mêmes restent.`,
        })
      },
      done: (name) => `« ${name} » supprimée.`,
    },
  },
  es: {
    title: 'Etiquetas',
    about:
      'Las etiquetas ordenan los temas. Un tema puede tener una etiqueta, y todos los bots comparten las mismas.',
    new: 'Nueva etiqueta',
    placeholder: 'Urgente',
    missing: 'Introduce un nombre para la etiqueta.',
    create: 'Crear',
    created: (name) => `«${name}» creada.`,
    columns: {
      name: 'Nombre',
      topics: 'Temas',
    },
    none: {
      title: 'Aún no hay etiquetas',
      text: 'Crea la primera arriba, por ejemplo «Urgente» o «Clientes».',
    },
    rename: {
      action: 'Cambiar nombre',
      title: (name) => `Cambiar el nombre de «${name}»`,
      name: 'Nombre',
      done: (name) => `Ahora se llama «${name}».`,
    },
    delete: {
      action: 'Eliminar',
      title: (name) => `¿Eliminar «${name}»?`,
      text: (topics) => {
        if (topics === 0) return 'No se usa en ningún tema.'
        return plural.es(topics, {
          one: 'Se quitará de 1 tema. El tema se queda.',
          other: `Se quitará de ${topics} temas. Los temas se quedan.`,
        })
      },
      done: (name) => `«${name}» eliminada.`,
    },
  },
})
