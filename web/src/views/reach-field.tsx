import { REACHES, type Reach } from '../../../contract/reach.ts'
import { SelectField } from '../kit/field.tsx'
import { reach as texts } from '../texts/reach.ts'
import { useTexts } from '../texts/texts.ts'

/** The messages that bots hear in a topic that they are added to. */
export function ReachField({ value, onChange }: { value: Reach; onChange: (reach: Reach) => void }) {
  const t = useTexts(texts)
  return (
    <SelectField
      label={t.label}
      value={value}
      onChange={onChange}
      options={REACHES.map((one) => [one, t.names[one]] as const)}
    />
  )
}
