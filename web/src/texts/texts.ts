import { createContext, useContext } from 'react'

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const
export type Language = keyof typeof LANGUAGES

/** A text, or a function that makes one of what it is about. */
type Shape = { [name: string]: string | ((...about: never[]) => string) | Shape }
/** Another language with the same names and kinds of values: one that lacks a text does not compile. */
type Same<T> = {
  [Name in keyof T]: T[Name] extends string
    ? string
    : T[Name] extends (...about: infer About) => string
      ? (...about: About) => string
      : Same<T[Name]>
}

export type Texts<T extends Shape> = { en: T; de: Same<T> }

/** The build leaves out of each page what is not of its language (web/vite.config.mjs): a browser loads one. */
export const texts = <const T extends Shape>(languages: Texts<T>): Texts<T> => languages
/** Values other than texts for each language, split by the build in the same way. */
export const byLanguage = <T>(languages: Record<Language, T>): Record<Language, T> => languages

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Chooses the form of a text for a number, by the rules of the language. */
const pluralIn = (language: Language) => {
  const rules = new Intl.PluralRules(language)
  return (count: number, forms: PluralForms): string => forms[rules.select(count)] ?? forms.other
}
export const plural = { en: pluralIn('en'), de: pluralIn('de') }

export const LanguageContext = createContext<Language>('en')

/** The texts in the language of the reader. */
export function useTexts<T extends Shape>(languages: Texts<T>): Same<T> {
  return languages[useContext(LanguageContext)] as Same<T>
}
