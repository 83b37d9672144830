import { useState } from 'react'
import { SelectField } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { useBotsChanged } from './bot-data.ts'
import { OVERLAP_HOURS, OVERLAPS } from './incoming-data.ts'

type Overlap = (typeof OVERLAPS)[number]

/** Replaces a secret or an address. The previous one stays valid for as long as the admin chooses. */
export function RotationDialog<Made>({
  title,
  words,
  send,
  onMade,
  onClose,
}: {
  title: string
  words: { rotate: string; rotateText: string; overlap: string; overlaps: Record<Overlap, string> }
  send: (overlapHours: number) => Promise<Made>
  onMade: (made: Made) => void
  onClose: () => void
}) {
  const changed = useBotsChanged()
  const [overlap, setOverlap] = useState<Overlap>('day')
  const form = useForm<never, Made>({
    send: () => send(OVERLAP_HOURS[overlap]),
    onDone: (made) => {
      onClose()
      onMade(made)
      void changed()
    },
  })
  return (
    <FormDialog form={form} title={title} action={words.rotate} onClose={onClose}>
      <p>{words.rotateText}</p>
      <SelectField
        label={words.overlap}
        options={OVERLAPS.map((one) => [one, words.overlaps[one]] as const)}
        value={overlap}
        onChange={setOverlap}
      />
    </FormDialog>
  )
}
