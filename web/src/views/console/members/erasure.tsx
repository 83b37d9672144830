import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { erasePerson, PersonRecord, readPersonData } from '../../../../../contract/people/erasures.ts'
import type { Person } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Checkbox } from '../../../kit/choice.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { erasureTexts } from '../../../texts/erasure.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'
import { saveText } from '../topics/topic-data.ts'

const MEMBER = '/people/organizations/{organizationId}/members/{memberId}'

/** Asks before the data of a person is deleted, and whether what they wrote goes with it. */
export function ErasePerson({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = useTexts(erasureTexts).erase
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [withMessages, setWithMessages] = useState(false)
  const { messages, ...costs } = t.costs
  const erasing = useMutation({
    mutationFn: () =>
      call<typeof erasePerson>('POST', `${MEMBER}/erasure`, {
        params: { organizationId, memberId: person.id },
        body: { withMessages },
      }),
    onSuccess: () => {
      changed('member', 'org_unit')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(person.name))}
      text={t.text}
      costs={[...(withMessages ? [] : [messages]), ...Object.values(costs)]}
      action={t.action}
      busy={erasing.isPending}
      error={erasing.error}
      onConfirm={() => erasing.mutate()}
      onClose={onClose}
    >
      <Checkbox label={t.withMessages} about={t.about} isOn={withMessages} onChange={setWithMessages} />
    </Confirm>
  )
}

/** Hands the reader a file with all that the organization has of a person, a line for each record; tells how many there are. */
export function usePersonExport(): (person: Person) => Promise<number> {
  const { organizationId } = useMembership()
  const changed = useChanged()
  return async ({ id: memberId }) => {
    const records: PersonRecord[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await call<typeof readPersonData>('POST', `${MEMBER}/data`, {
        params: { organizationId, memberId },
        body: cursor === undefined ? {} : { cursor },
      })
      records.push(...page.records)
      cursor = page.next
      if (cursor === undefined) break
    }
    changed()
    const lines = records.map((record) => `${JSON.stringify(record)}\n`)
    saveText(`member-${memberId}.jsonl`, 'application/jsonl', lines.join(''))
    return records.length
  }
}
