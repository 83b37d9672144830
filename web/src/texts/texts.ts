import { createContext, useContext } from 'react'
import LANGUAGES from '../../../contract/languages.json' with { type: 'json' }

export type Language = keyof typeof LANGUAGES
/** Whether pages exist in the language `tag`. */
export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag)
/** Every language and its own name, as choosers offer them. */
export const LANGUAGE_NAMES = Object.keys(LANGUAGES)
  .filter(isLanguage)
  .map((language) => [language, LANGUAGES[language].name] as const)

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

export type Texts<T extends Shape> = { en: T } & Record<Exclude<Language, 'en'>, Same<T>>

/** The build leaves out of each page what is not of its language (web/vite.config.mjs): a browser loads one. */
export const texts = <const T extends Shape>(languages: Texts<T>): Texts<T> => languages
/** Values other than texts for each language, split by the build in the same way. */
export const byLanguage = <T>(languages: Record<Language, T>): Record<Language, T> => languages

type PluralForms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Chooses the form of a text for a number, by the rules of the language. */
const pluralIn = (language: Language) => {
  let rules: Intl.PluralRules | undefined
  return (count: number, forms: PluralForms): string => {
    rules ??= new Intl.PluralRules(language)
    return forms[rules.select(count)] ?? forms.other
  }
}
type Plural = ReturnType<typeof pluralIn>
export const plural = Object.fromEntries(
  LANGUAGE_NAMES.map(([language]) => [language, pluralIn(language)]),
) as Record<Language, Plural>

export const LanguageContext = createContext<Language>('en')

/** The texts in the language of the reader. */
export function useTexts<T extends Shape>(languages: Texts<T>): Same<T> {
  return (languages as Record<Language, Same<T>>)[useContext(LanguageContext)]
}
