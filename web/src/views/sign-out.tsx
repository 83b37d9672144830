import { useState } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../api/session.ts'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'
import { Button } from '../ui/controls.tsx'
import { useErrorText } from '../ui/states.tsx'
import { useToast } from '../ui/toast.tsx'

export function SignOutButton() {
  const t = useTexts(common)
  const toast = useToast()
  const errorText = useErrorText()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const leave = () => {
    setBusy(true)
    signOut()
      .then(() => navigate('/sign-in'))
      .catch((error: unknown) => toast(errorText(error), 'bad'))
      .finally(() => setBusy(false))
  }
  return (
    <Button busy={isBusy} onClick={leave}>
      {t.signOut}
    </Button>
  )
}
