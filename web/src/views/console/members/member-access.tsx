import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { endPersonSessions, Person, resetSecondFactor } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogBody } from '../../../kit/dialog.tsx'
import { ErrorNotice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import styles from './member-access.module.css'

const MEMBER = '/people/organizations/{organizationId}/members/{memberId}'

/** An admin's actions on a person's access, each with an explanation. */
export function Access({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members).access
  const changed = useChanged()
  const { organizationId } = useMembership()
  const params = { organizationId, memberId: person.id }
  const done = (text: string) => {
    changed('member')
    showToast({ text })
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
  const error = ending.error ?? resetting.error
  return (
    <Dialog title={t.title(person.name)} onClose={onClose} busy={ending.isPending || resetting.isPending}>
      <DialogBody>
        <Part
          title={t.sessions.title}
          text={`${person.sessions === 0 ? t.sessions.nowhere : t.sessions.count(person.sessions)} ${t.sessions.text}`}
        >
          <Button look="danger" busy={ending.isPending} onClick={() => ending.mutate()}>
            {t.sessions.action}
          </Button>
        </Part>
        <Part title={t.secondFactor.title} text={t.secondFactor[person.secondFactor]}>
          {person.secondFactor === 'code' && (
            <Button look="danger" busy={resetting.isPending} onClick={() => resetting.mutate()}>
              {t.secondFactor.action}
            </Button>
          )}
        </Part>
        {error && <ErrorNotice error={error} />}
      </DialogBody>
    </Dialog>
  )
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      <p>{text}</p>
      {children}
    </section>
  )
}
