import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { Field, TextArea } from '../../kit/field.tsx'
import { FormCard } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { useTexts } from '../../texts/texts.ts'
import { useSettingsChange } from './changes.ts'

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The organization's blocked words, one on each line. */
export function BlockedWords({ settings: { blockedWords } }: { settings: OrganizationSettings }) {
  const t = useTexts(texts).words
  const c = useTexts(common)
  const change = useSettingsChange()
  const [written, setWritten] = useState(blockedWords.join('\n'))
  const words = linesIn(written)
  const form = useForm<'words', OrganizationSettings>({
    check: () => ({
      words:
        (words.length > LIMITS.blockedWords && t.tooMany(LIMITS.blockedWords)) ||
        (words.some((word) => word.length > LIMITS.blockedWord) && t.tooLong(LIMITS.blockedWord)),
    }),
    isSame: words.join('\n') === blockedWords.join('\n'),
    asksBeforeLeaving: true,
    send: () => change({ blockedWords: words }),
    fields: { blockedWords: 'words' },
    onDone: (saved) => {
      setWritten(saved.blockedWords.join('\n'))
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Field label={t.label} hint={t.hint} mistake={form.mistake('words')} end={t.count(words.length)}>
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={4}
            spellCheck={false}
            value={written}
            onChange={({ target }) => setWritten(target.value)}
          />
        )}
      </Field>
    </FormCard>
  )
}
