import { TextField } from '../../kit/form.tsx'

type Props = {
  label: string
  maxLength: number
  value: string
  onChange: (reason: string) => void
  mistake: Parameters<typeof TextField>[0]['mistake']
}

/** The reason that must be given for a hold or a reading. */
export const ReasonField = (props: Props) => <TextField autoComplete="off" required {...props} />
