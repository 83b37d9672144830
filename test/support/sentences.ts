import { partsOfKey, type RefusalKey, textOfKey } from '../../contract/refusals/index.ts'
import { errorSentence } from '../../web/src/texts/errors.ts'
import type { Language } from '../../web/src/texts/texts.ts'

/** The sentence that pages show for a refusal. */
export function sentenceOf(key: RefusalKey, language: Language): string {
  const { code, value: field } = partsOfKey(key)
  return errorSentence({ code, field, text: textOfKey(key) }, language)
}
