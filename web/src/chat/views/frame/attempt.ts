import { useState } from 'react'
import { showToast } from '../../../kit/toast.tsx'
import { useFailureText } from './failure-text.ts'

/** Does something that may be refused, and says in a toast why it was. Tells whether it worked. */
export function useAttempt(): (work: () => Promise<unknown>) => Promise<boolean> {
  const failureText = useFailureText()
  return async (work) => {
    try {
      await work()
      return true
    } catch (error) {
      showToast({ text: failureText(error), tone: 'bad' })
      return false
    }
  }
}

/** Runs a form's request. The form shows the failure itself. */
export function useSubmit(): {
  busy: boolean
  failure: string | undefined
  submit: (work: () => Promise<unknown>) => Promise<boolean>
} {
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const submit = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      return true
    } catch (error) {
      setFailure(failureText(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, failure, submit }
}
