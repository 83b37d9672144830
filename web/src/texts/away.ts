import { texts } from './texts.ts'

export const away = texts({
  en: { title: 'Parley is away' },
  de: { title: 'Parley ist nicht da' },
})
