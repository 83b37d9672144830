import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Group, listGroups } from '../../../../contract/groups.ts'
import type { deleteGroup } from '../../../../contract/people/groups.ts'
import { chatApi } from '../../api/chat.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { RowName } from '../../kit/row-name.tsx'
import { Empty, Loaded, More } from '../../kit/states.tsx'
import { TableRows } from '../../kit/table-rows.tsx'
import { showToast } from '../../kit/toast.tsx'
import { groupTexts } from '../../texts/groups.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

/** All groups of the organization, with its org units: admins delete groups here, and change them in the chat. */
export default function Groups() {
  const t = useTexts(groupTexts)
  const { organizationId } = useMembership()
  const [deleted, setDeleted] = useState<Group>()
  const query = useInfiniteQuery({
    queryKey: keys.of(organizationId, 'group', 'list'),
    queryFn: ({ pageParam }) =>
      chatApi(organizationId)<typeof listGroups>('GET', '/groups', {
        query: pageParam === '' ? {} : { cursor: pageParam },
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <>
      <PageHead title={t.title} about={t.consoleAbout} />
      <Loaded query={query}>
        {({ pages }) => {
          const groups = pages.flatMap((page) => page.groups)
          return groups.length === 0 ? (
            <Empty title={t.none} />
          ) : (
            <>
              <TableRows
                label={t.title}
                rows={groups}
                nameOf={({ name }) => name}
                columns={[
                  { label: t.name, cell: ({ name, tag }) => <RowName name={name} note={`@${tag}`} /> },
                  {
                    label: t.kind,
                    width: '18%',
                    cell: ({ kind }) => (kind === 'unit' ? t.unit : t.group),
                  },
                  {
                    label: t.people,
                    width: '30%',
                    cell: ({ memberCount }) => t.members(memberCount),
                  },
                ]}
                menu={(group) =>
                  group.kind === 'unit'
                    ? []
                    : [{ label: t.delete, icon: Trash2, danger: true, onSelect: () => setDeleted(group) }]
                }
              />
              <More query={query} />
            </>
          )
        }}
      </Loaded>
      {deleted && <Delete group={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  )
}

function Delete({ group, onClose }: { group: Group; onClose: () => void }) {
  const t = useTexts(groupTexts)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removal = useMutation({
    mutationFn: () =>
      chatApi(organizationId)<typeof deleteGroup>('DELETE', '/groups/{groupId}', {
        params: { groupId: group.id },
      }),
    onSuccess: () => {
      changed('group')
      showToast({ text: t.deleted(named(group.name)) })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.deleteTitle(named(group.name))}
      text={t.deleteText}
      action={t.delete}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
