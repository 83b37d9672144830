import { useLocation } from 'wouter'
import { useSignOut } from '../api/session.ts'
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
  const signOut = useSignOut({
    onSuccess: () => navigate('/sign-in'),
    onError: (error) => toast(errorText(error), 'bad'),
  })
  return (
    <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
      {t.signOut}
    </Button>
  )
}
