import { useMutation } from '@tanstack/react-query'
import { Switch } from '../../kit/choice.tsx'
import { ErrorNotice } from '../../kit/notice.tsx'

/** A setting that is saved when it is clicked. */
export function SavedSwitch({
  label,
  about,
  isOn,
  onChange,
}: {
  label: string
  about: string
  isOn: boolean
  onChange: (isOn: boolean) => Promise<void>
}) {
  const saving = useMutation({ mutationFn: onChange })
  return (
    <>
      <Switch
        label={label}
        about={about}
        // Shows the clicked state while it is being saved, the server's otherwise.
        isOn={saving.isPending ? saving.variables : isOn}
        onChange={(next) => {
          if (!saving.isPending) saving.mutate(next)
        }}
      />
      {saving.isError && <ErrorNotice error={saving.error} />}
    </>
  )
}
