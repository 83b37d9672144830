import { useState } from 'react'
import type { AnswerOf } from '../../../../../contract/operation.ts'
import type { changePeople, Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../../kit/dialog.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Notice } from '../../../kit/notice.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import { RoleChoices } from './member-dialogs.tsx'
import { Report } from './report.tsx'

export type Bulk = {
  action: 'role' | 'sessions' | 'archive'
  people: readonly Person[]
  clear: () => void
}
type Answer = AnswerOf<typeof changePeople>['body']

/** Changes the chosen people, after it has said what that costs; people who were refused are named with the reason. */
export function BulkChange({ action, people, clear, onClose }: Bulk & { onClose: () => void }) {
  const t = useTexts(members).bulk
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [role, setRole] = useState<Person['role']>('member')
  const [refused, setRefused] = useState<{ name: string; refusal: string; code?: string | undefined }[]>()
  const texts = t[action]
  const form = useForm<never, Answer>({
    send: () =>
      call<typeof changePeople>('POST', '/people/organizations/{organizationId}/members/changes', {
        params: { organizationId },
        body: {
          memberIds: people.map(({ id }) => id),
          ...(action === 'role' && { role }),
          ...(action === 'archive' && { status: 'Archived' }),
          ...(action === 'sessions' && { endSessions: true }),
        },
      }),
    onDone: ({ results }) => {
      changed('member', 'org_unit')
      clear()
      const lines = results.flatMap(({ memberId, refusal, code }) =>
        refusal === undefined
          ? []
          : [{ name: people.find(({ id }) => id === memberId)?.name ?? memberId, refusal, code }],
      )
      if (lines.length > 0) return setRefused(lines)
      showToast({ text: texts.done(results.length) })
      onClose()
    },
  })
  if (refused) {
    return (
      <Dialog title={t.partly(people.length - refused.length, people.length)} onClose={onClose}>
        <DialogBody>
          <Report lines={refused.map(({ name, ...line }) => ({ what: name, ...line }))} />
        </DialogBody>
        <DialogFoot>
          <Button look="primary" onClick={onClose}>
            {c.done}
          </Button>
        </DialogFoot>
      </Dialog>
    )
  }
  return (
    <FormDialog
      form={form}
      title={texts.title(people.length)}
      action={texts.action}
      look={action === 'role' ? 'primary' : 'danger'}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {action === 'role' && <RoleChoices value={role} onChange={setRole} />}
      {action === 'archive' && <Notice>{t.archive.back}</Notice>}
    </FormDialog>
  )
}
