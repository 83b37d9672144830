import { useState } from 'react'
import { Refused, Unreachable } from '../../api/call.ts'
import { enter } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { useErrorText } from '../../kit/error-text.ts'
import { Notice } from '../../kit/notice.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { enterWithPasskey } from './passkeys.ts'

/** Signs in with a passkey; for browsers that know them. */
export function PasskeyButton() {
  const t = useTexts(account)
  const errorText = useErrorText()
  const [busy, setBusy] = useState(false)
  const [mistake, setMistake] = useState<string>()
  const signIn = async () => {
    setBusy(true)
    setMistake(undefined)
    await enterWithPasskey().then(enter, (error: unknown) => {
      const isOurs = error instanceof Refused || error instanceof Unreachable
      setMistake(isOurs ? errorText(error) : t.signIn.passkeyFailed)
    })
    setBusy(false)
  }
  return (
    <>
      <Button busy={busy} onClick={() => void signIn()}>
        {t.signIn.passkey}
      </Button>
      {mistake !== undefined && (
        <Notice tone="bad">
          <p>{mistake}</p>
        </Notice>
      )}
    </>
  )
}
