import { useState } from 'react'
import type { AnswerOf } from '../../../../../contract/operation.ts'
import type { invitePeople, Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../../kit/dialog.tsx'
import { Field, TextArea } from '../../../kit/field.tsx'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Notice } from '../../../kit/notice.tsx'
import { common } from '../../../texts/common.ts'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useSettings } from '../changes.ts'
import { peopleFrom } from './invited-lines.ts'
import { RoleChoices } from './member-dialogs.tsx'
import { Report } from './report.tsx'

/** Most invitations of one request; see contract/people/members.ts. */
const MAX_INVITED = 200

type Answer = AnswerOf<typeof invitePeople>['body']

/** A list of addresses, typed, pasted or from a CSV file; then what became of each line. */
export function InviteMany({ onClose }: { onClose: () => void }) {
  const t = useTexts(members).many
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const [list, setList] = useState('')
  const [role, setRole] = useState<Person['role']>('member')
  const [report, setReport] = useState<Answer['results']>()
  const people = peopleFrom(list)
  const form = useForm<'list', Answer>({
    asksBeforeLeaving: true,
    check: () => ({
      list: (people.length === 0 && t.missing) || (people.length > MAX_INVITED && t.tooMany(MAX_INVITED)),
    }),
    send: () =>
      call<typeof invitePeople>('POST', '/people/organizations/{organizationId}/members/invitations', {
        params: { organizationId },
        body: { people, role },
      }),
    onDone: ({ results }) => {
      changed('member')
      setReport(results)
    },
  })
  if (report) {
    const invited = report.filter(({ refusal }) => refusal === undefined).length
    return (
      <Dialog title={t.report(invited, report.length)} onClose={onClose} size="wide">
        <DialogBody>
          {!sendsMail && invited > 0 && <Notice tone="warn">{t.linksOnce}</Notice>}
          <Report lines={report.map(({ email, ...line }) => ({ what: email, ...line }))} />
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
    <FormDialog form={form} title={t.title} action={t.action(people.length)} size="wide" onClose={onClose}>
      <Field label={t.list} hint={t.hint} mistake={form.mistake('list')} end={t.count(people.length)}>
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={8}
            spellCheck={false}
            value={list}
            onChange={(event) => setList(event.target.value)}
          />
        )}
      </Field>
      <Field label={t.file}>
        {({ id }) => (
          <input
            id={id}
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={(event) => {
              const [file] = event.target.files ?? []
              void file?.text().then((text) => setList(text))
            }}
          />
        )}
      </Field>
      <RoleChoices value={role} onChange={setRole} />
      {!sendsMail && <Notice>{t.noMail}</Notice>}
    </FormDialog>
  )
}
