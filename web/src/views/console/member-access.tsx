import { useMutation } from '@tanstack/react-query'
import type { endPersonSessions, Person, resetSecondFactor } from '../../../../contract/people/members.ts'
import { call } from '../../api/call.ts'
import { useMembership } from '../../api/session.ts'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/controls.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useChanged } from './changes.ts'

const MEMBER = '/people/organizations/{organizationId}/members/{memberId}'

/** What an admin can do about somebody's way in: says what each does, and does it. */
export function Access({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members).access
  const c = useTexts(common)
  const toast = useToast()
  const changed = useChanged()
  const { organizationId } = useMembership()
  const params = { organizationId, memberId: person.id }
  const done = (text: string) => {
    changed('member')
    toast(text)
    onClose()
  }
  const ending = useMutation({
    mutationFn: () => call<typeof endPersonSessions>('DELETE', `${MEMBER}/sessions`, { params }),
    onSuccess: () => done(t.sessions.done(person.name)),
  })
  const resetting = useMutation({
    mutationFn: () => call<typeof resetSecondFactor>('DELETE', `${MEMBER}/second-factor`, { params }),
    onSuccess: () => done(t.secondFactor.done(person.name)),
  })
  const busy = ending.isPending || resetting.isPending
  const error = ending.error ?? resetting.error
  return (
    <Dialog title={t.title(person.name)} onClose={onClose} busy={busy}>
      <section className="stack tight">
        <h3>{t.sessions.title}</h3>
        <p>{t.sessions.text}</p>
        <div>
          <Button look="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
            {t.sessions.action}
          </Button>
        </div>
      </section>
      <section className="stack tight">
        <h3>{t.secondFactor.title}</h3>
        <p>{t.secondFactor[person.secondFactor]}</p>
        {person.secondFactor === 'code' && (
          <div>
            <Button look="danger" busy={resetting.isPending} onClick={() => resetting.mutate()}>
              {t.secondFactor.action}
            </Button>
          </div>
        )}
      </section>
      {error && <ErrorState error={error} />}
      <div className="actions end">
        <Button busy={busy} onClick={onClose}>
          {c.close}
        </Button>
      </div>
    </Dialog>
  )
}
