import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type {
  Invitations,
  inviteMissing,
  readInvitations,
  stopInvitations,
} from '../../../../../contract/people/invitations.ts'
import type { Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox } from '../../../kit/choice.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import { FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Notice } from '../../../kit/notice.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useSettings } from '../changes.ts'

const PATH = '/people/organizations/{organizationId}/members/invitations/missing'

type Filters = { role?: Person['role']; search?: string }

/** Says that people of the list were never invited, or wait for it, and offers to invite them all. */
export function MissingInvitations({ filters }: { filters: Filters }) {
  const t = useTexts(members).missing
  const changed = useChanged()
  const errorText = useErrorText()
  const { organizationId } = useMembership()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    queryKey: keys.of(organizationId, 'member', 'invitations', filters),
    queryFn: () => call<typeof readInvitations>('GET', PATH, { params: { organizationId }, query: filters }),
    enabled: sendsMail,
  })
  const stopping = useMutation({
    mutationFn: () => call<typeof stopInvitations>('DELETE', PATH, { params: { organizationId } }),
    onSuccess: () => {
      changed('member')
      showToast({ text: t.stopped })
    },
    onError: (error: unknown) => showToast({ text: errorText(error), tone: 'bad' }),
  })
  if (!data) return null
  const { missing, expired, waiting, nextAt } = data
  return (
    <>
      {waiting > 0 && (
        <Notice>
          <p>
            {t.waiting(waiting)}{' '}
            {nextAt !== undefined && nextAt > Date.now() && (
              <>
                {t.next} <Time at={nextAt} />
              </>
            )}
          </p>
          {/* It stops all that wait, also those whom a filter hides. */}
          {Object.keys(filters).length === 0 && (
            <Button size="small" busy={stopping.isPending} onClick={() => stopping.mutate()}>
              {t.stop}
            </Button>
          )}
        </Notice>
      )}
      {missing + expired > 0 && (
        <Notice>
          <p>{missing > 0 ? t.count(missing) : t.expired(expired)}</p>
          <Button size="small" onClick={() => setOpen(true)}>
            {missing > 0 ? t.action : t.again}
          </Button>
        </Notice>
      )}
      {isOpen && <InviteMissing filters={filters} counts={data} onClose={() => setOpen(false)} />}
    </>
  )
}

function InviteMissing({
  filters,
  counts: { missing, expired },
  onClose,
}: {
  filters: Filters
  counts: Invitations
  onClose: () => void
}) {
  const t = useTexts(members).missing
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [withExpired, setWithExpired] = useState(missing === 0)
  const count = missing + (withExpired ? expired : 0)
  const form = useForm({
    send: () =>
      call<typeof inviteMissing>('POST', PATH, {
        params: { organizationId },
        body: { ...filters, expired: withExpired },
      }),
    onDone: () => {
      changed('member')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title(count)} action={t.send} onClose={onClose}>
      <p>{t.text(LIMITS.askedInvitationsPerHour)}</p>
      {missing > 0 && expired > 0 && (
        <Checkbox label={t.withExpired(expired)} isOn={withExpired} onChange={setWithExpired} />
      )}
    </FormDialog>
  )
}
