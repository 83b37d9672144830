import { useMutation } from '@tanstack/react-query'
import {
  Archive,
  CalendarOff,
  Copy,
  Download,
  Eye,
  EyeOff,
  KeyRound,
  RotateCcw,
  Send,
  Shield,
  Trash2,
  UserPlus,
  X,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { inviteAgain, Person, updatePerson } from '../../../../../contract/people/members.ts'
import { call } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { useErrorText } from '../../../kit/error-text.ts'
import type { MenuAction, MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { erasureTexts } from '../../../texts/erasure.ts'
import { members } from '../../../texts/members.ts'
import { readingTexts } from '../../../texts/readings.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useSettings } from '../changes.ts'
import { useReading } from '../readings/ask-reading.tsx'
import { usePersonExport } from './erasure.tsx'
import type { Ending } from './member-dialogs.tsx'
import type { Open } from './members.tsx'

const ENDING_ICONS = { archive: Archive, delete: Trash2, withdraw: X }

/** An admin's actions on one person, by the person's state, and the dialog that asks why their data is read. */
export function useMemberMenu(onOpen: (open: Open) => void): {
  menu: (person: Person) => readonly MenuEntry[]
  asked: ReactNode
} {
  const t = useTexts(members)
  const data = useTexts(erasureTexts)
  const exportData = usePersonExport()
  const { read, dialog } = useReading()
  const right = useTexts(readingTexts).right
  const errorText = useErrorText()
  const changed = useChanged()
  const { organizationId, role, profileId } = useMembership()
  const sendsMail = useSettings().data?.server.mail === 'smtp'
  const onError = (error: unknown) => showToast({ text: errorText(error), tone: 'bad' })
  const again = useMutation({
    mutationFn: (person: Person) =>
      call<typeof inviteAgain>(
        'POST',
        '/people/organizations/{organizationId}/members/{memberId}/invitation',
        { params: { organizationId, memberId: person.id } },
      ),
    onSuccess: ({ email }) => {
      changed('member')
      showToast({ text: t.again.sent(named(email)) })
    },
    onError,
  })
  const restoring = useMutation({
    mutationFn: (person: Person) =>
      call<typeof updatePerson>('PATCH', '/people/organizations/{organizationId}/members/{memberId}', {
        params: { organizationId, memberId: person.id },
        body: { status: 'Active' },
      }),
    // People who had not joined before come back as invited.
    onSuccess: ({ name, status }) => {
      changed('member')
      showToast({
        text: status === 'Pending' ? t.restore.invited(named(name)) : t.restore.done(named(name)),
      })
    },
    onError,
  })
  const allowing = useMutation({
    mutationFn: ({ id, mayReadContent }: Person) =>
      call<typeof updatePerson>('PATCH', '/people/organizations/{organizationId}/members/{memberId}', {
        params: { organizationId, memberId: id },
        body: { mayReadContent: !mayReadContent },
      }),
    onSuccess: ({ name, mayReadContent }) => {
      changed('member')
      showToast({ text: (mayReadContent ? right.allowed : right.forbidden)(named(name)) })
    },
    onError,
  })
  const menu = (person: Person): readonly MenuEntry[] => {
    // Only owners may act on owners. People cannot end their own membership.
    if (person.id === profileId || (person.role === 'owner' && role !== 'owner')) return []
    const end = (ending: Ending): MenuAction => ({
      label: t[ending].action,
      icon: ENDING_ICONS[ending],
      danger: ending !== 'archive',
      onSelect: () => onOpen({ kind: 'end', person, ending }),
    })
    const changeRole: MenuAction = {
      label: t.role.action,
      icon: Shield,
      onSelect: () => onOpen({ kind: 'role', person }),
    }
    const guestEnd: MenuAction[] =
      person.role === 'guest'
        ? [
            {
              label: t.guestEnd.action,
              icon: CalendarOff,
              onSelect: () => onOpen({ kind: 'guest-end', person }),
            },
          ]
        : []
    const reading: MenuAction[] =
      role === 'owner' && person.role === 'admin'
        ? [
            {
              label: person.mayReadContent ? right.forbid : right.allow,
              icon: person.mayReadContent ? EyeOff : Eye,
              onSelect: () => allowing.mutate(person),
            },
          ]
        : []
    const theirData: MenuEntry[] = [
      { kind: 'line' },
      {
        label: data.export.action,
        icon: Download,
        onSelect: () =>
          void read({ type: 'member', id: person.id, name: person.name }, () => exportData(person)).then(
            (count) => count !== undefined && showToast({ text: data.export.done(count) }),
            onError,
          ),
      },
      {
        label: data.erase.action,
        icon: Trash2,
        danger: true,
        onSelect: () => onOpen({ kind: 'erase', person }),
      },
    ]
    if (person.erased) return []
    switch (person.status) {
      case 'Pending':
        return [
          ...(sendsMail ? [{ label: t.again.action, icon: Send, onSelect: () => again.mutate(person) }] : []),
          { label: t.link.action, icon: Copy, onSelect: () => onOpen({ kind: 'link', person }) },
          changeRole,
          ...guestEnd,
          { kind: 'line' },
          end('withdraw'),
          ...theirData,
        ]
      case 'Active':
        return [
          changeRole,
          ...guestEnd,
          ...reading,
          { label: t.access.action, icon: KeyRound, onSelect: () => onOpen({ kind: 'access', person }) },
          { kind: 'line' },
          end('archive'),
          end('delete'),
          ...theirData,
        ]
      case 'Archived':
        return [
          ...guestEnd,
          { label: t.restore.action, icon: RotateCcw, onSelect: () => restoring.mutate(person) },
          { kind: 'line' },
          end('delete'),
          ...theirData,
        ]
      case 'Deleted':
        return [
          {
            label: t.reinvite.action,
            icon: UserPlus,
            onSelect: () => onOpen({ kind: 'invite', email: person.email, name: person.name }),
          },
          ...theirData,
        ]
    }
  }
  return { menu, asked: dialog }
}
