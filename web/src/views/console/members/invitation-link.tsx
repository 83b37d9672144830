import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { makeInvitationLink, Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Secret } from '../../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../../kit/dialog.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { common } from '../../../texts/common.ts'
import { members } from '../../../texts/members.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'

/** A link to pass on by hand, shown once. */
export function InvitationLink({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(members).link
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const making = useMutation({
    mutationFn: () =>
      call<typeof makeInvitationLink>(
        'POST',
        '/people/organizations/{organizationId}/members/{memberId}/invitation-link',
        { params: { organizationId, memberId: person.id } },
      ),
    onSuccess: () => changed('member'),
    // The answer holds the link, so it leaves memory with the dialog.
    gcTime: 0,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => making.mutate(), [])
  return (
    <Dialog title={t.title(named(person.name))} onClose={onClose}>
      <DialogBody>
        {making.isError && <ErrorNotice error={making.error} onRetry={() => making.mutate()} />}
        {making.data ? (
          <>
            <p>
              <Words text={t.text(named(person.email))} />
            </p>
            <Secret label={t.label} value={making.data.url} />
            <Notice tone="warn">{t.warning}</Notice>
          </>
        ) : (
          !making.isError && <SkeletonRows />
        )}
      </DialogBody>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {c.done}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
