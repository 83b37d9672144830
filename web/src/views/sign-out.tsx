import { useState } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { useErrorText } from '../kit/error-text.ts'
import { showToast } from '../kit/toast.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/texts.ts'

export function SignOutButton() {
  const t = useTexts(common)
  const errorText = useErrorText()
  const [, navigate] = useLocation()
  const [isBusy, setBusy] = useState(false)
  const leave = () => {
    setBusy(true)
    signOut()
      .then(() => navigate('/sign-in'))
      .catch((error: unknown) => showToast({ text: errorText(error), tone: 'bad' }))
      .finally(() => setBusy(false))
  }
  return (
    <Button busy={isBusy} onClick={leave}>
      {t.signOut}
    </Button>
  )
}
