import { useMutation } from '@tanstack/react-query'
import { Check } from '../../ui/controls.tsx'
import { ErrorState } from '../../ui/states.tsx'

/** A setting that is saved when it is clicked. */
export function Switch({
  label,
  hint,
  isOn,
  onChange,
}: {
  label: string
  hint: string
  isOn: boolean
  onChange: (isOn: boolean) => Promise<void>
}) {
  const saving = useMutation({ mutationFn: onChange })
  return (
    <div className="stack tight">
      <Check
        label={<strong>{label}</strong>}
        // As clicked while it is being saved, and as the server says otherwise.
        checked={saving.isPending ? saving.variables : isOn}
        onChange={(checked) => {
          if (!saving.isPending) saving.mutate(checked)
        }}
      />
      <p className="soft">{hint}</p>
      {saving.isError && <ErrorState error={saving.error} />}
    </div>
  )
}
