import { ArrowLeft, Crown, Plus, UserPlus, Users, X } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import type {
  Group,
  GroupMember,
  listGroupMembers,
  listGroups,
  readGroup,
} from '../../../../../contract/groups.ts'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import type {
  addGroupMembers,
  createGroup,
  deleteGroup,
  removeGroupMembers,
  updateGroup,
} from '../../../../../contract/people/groups.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Face } from '../../../kit/face.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { named } from '../../../kit/name.tsx'
import { groupTexts } from '../../../texts/groups.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useChatApi, usePages } from '../frame/pages.ts'
import dialogs from './dialogs.module.css'
import styles from './groups.module.css'
import { MemberPicker } from './member-picker.tsx'

type Open =
  | { kind: 'list' | 'new' }
  | { kind: 'group'; groupId: string }
  | { kind: 'edit' | 'add' | 'delete'; group: Group }

/** Groups of the organization, and one of them with its members: its owner and admins change it. */
export default function Groups({ groupId, onClose }: { groupId?: string | undefined; onClose: () => void }) {
  const [open, setOpen] = useState<Open>(
    groupId === undefined ? { kind: 'list' } : { kind: 'group', groupId },
  )
  switch (open.kind) {
    case 'list':
      return <GroupList onOpen={setOpen} onClose={onClose} />
    case 'group':
      return <GroupView groupId={open.groupId} onOpen={setOpen} onClose={onClose} />
    case 'new':
      return <EditGroup onOpen={setOpen} onClose={onClose} />
    case 'edit':
      return <EditGroup group={open.group} onOpen={setOpen} onClose={onClose} />
    case 'add':
      return <AddPeople group={open.group} onOpen={setOpen} onClose={onClose} />
    case 'delete':
      return <DeleteGroup group={open.group} onOpen={setOpen} />
  }
}

type ViewProps = { onOpen: (open: Open) => void; onClose: () => void }

function GroupList({ onOpen, onClose }: ViewProps) {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const [search, setSearch] = useState('')
  const pages = usePages(
    useCallback(
      async (cursor: string | undefined) => {
        const query = cursor === undefined ? { search } : { cursor }
        const { groups, nextCursor } = await api<typeof listGroups>('GET', '/groups', { query })
        return { items: groups, nextCursor }
      },
      [api, search],
    ),
  )
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <p className={styles.about}>{t.about}</p>
        <div className={styles.tools}>
          <Button icon={Plus} onClick={() => onOpen({ kind: 'new' })}>
            {t.create}
          </Button>
        </div>
        <Field label={t.search}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="search"
              value={search}
              maxLength={LIMITS.groupName}
              autoComplete="off"
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
        </Field>
        {pages.items?.length === 0 && <p className={styles.about}>{search === '' ? t.none : t.noneFound}</p>}
        <ul className={styles.list} aria-label={t.title}>
          {pages.items?.map((group) => (
            <li key={group.id} className={styles.item}>
              <button
                type="button"
                className={styles.open}
                onClick={() => onOpen({ kind: 'group', groupId: group.id })}
              >
                <Icon icon={Users} />
                <span className={styles.words}>
                  <bdi className={styles.name}>{group.name}</bdi>
                  <span className={styles.note}>
                    @{group.tag} · {t.members(group.memberCount)}
                    {group.kind === 'unit' && ` · ${t.unit}`}
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
        {pages.loadMore && <Button onClick={pages.loadMore}>{t.more}</Button>}
      </DialogBody>
    </Dialog>
  )
}

function GroupView({ groupId, onOpen, onClose }: ViewProps & { groupId: string }) {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const me = useChat((state) => state.me)
  const [group, setGroup] = useState<Group>()
  const [version, setVersion] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change here is read again
  useEffect(() => {
    let isCurrent = true
    void attempt(async () => {
      const read = await api<typeof readGroup>('GET', '/groups/{groupId}', { params: { groupId } })
      if (isCurrent) setGroup(read)
    }).then((isRead) => !isRead && isCurrent && onOpen({ kind: 'list' }))
    return () => {
      isCurrent = false
    }
  }, [api, groupId, version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change here is read again
  const readMembers = useCallback(
    async (cursor: string | undefined) => {
      const { members, nextCursor } = await api<typeof listGroupMembers>('GET', '/groups/{groupId}/members', {
        params: { groupId },
        query: cursor === undefined ? {} : { cursor },
      })
      return { items: members, nextCursor }
    },
    [api, groupId, version],
  )
  const pages = usePages(readMembers)
  const isAdmin = me?.role === 'admin' || me?.role === 'owner'
  const mayChange = group?.kind === 'group' && (isAdmin || group.ownerId === me?.id)
  const change = (work: () => Promise<unknown>) =>
    void attempt(work).then((isDone) => isDone && setVersion((now) => now + 1))
  const remove = (id: string) =>
    api<typeof removeGroupMembers>('DELETE', '/groups/{groupId}/members', {
      params: { groupId },
      body: { memberIds: [id] },
    })
  const giveTo = (ownerId: string) =>
    api<typeof updateGroup>('PATCH', '/groups/{groupId}', { params: { groupId }, body: { ownerId } })
  return (
    <Dialog title={group ? named(group.name) : t.title} onClose={onClose}>
      <DialogBody>
        {group && (
          <>
            <p className={styles.about}>
              @{group.tag} · {t.members(group.memberCount)}
            </p>
            {group.description !== '' && (
              <p className={styles.about} dir="auto">
                {group.description}
              </p>
            )}
            {group.kind === 'unit' && <p className={styles.about}>{t.unitHint}</p>}
          </>
        )}
        <div className={styles.tools}>
          <Button look="quiet" icon={ArrowLeft} onClick={() => onOpen({ kind: 'list' })}>
            {t.back}
          </Button>
          {group && mayChange && (
            <>
              <Button icon={UserPlus} onClick={() => onOpen({ kind: 'add', group })}>
                {t.add}
              </Button>
              <Button onClick={() => onOpen({ kind: 'edit', group })}>{t.edit}</Button>
              <Button look="risk" onClick={() => onOpen({ kind: 'delete', group })}>
                {t.delete}
              </Button>
            </>
          )}
          {group?.kind === 'group' && group.isMember && me && group.ownerId !== me.id && (
            <Button onClick={() => change(() => remove(me.id))}>{t.leave}</Button>
          )}
        </div>
        <ul className={styles.list} aria-label={t.people}>
          {pages.items?.map((member) => (
            <li key={member.id} className={styles.item}>
              <MemberLine member={member} />
              {group?.ownerId === member.id && <span className={styles.note}>{t.owner}</span>}
              {mayChange && group.ownerId !== member.id && (
                <>
                  <IconButton
                    label={t.makeOwner(member.name)}
                    icon={Crown}
                    size="small"
                    onClick={() => change(() => giveTo(member.id))}
                  />
                  <IconButton
                    label={t.remove(member.name)}
                    icon={X}
                    size="small"
                    onClick={() => change(() => remove(member.id))}
                  />
                </>
              )}
            </li>
          ))}
        </ul>
        {pages.loadMore && <Button onClick={pages.loadMore}>{t.more}</Button>}
      </DialogBody>
    </Dialog>
  )
}

function MemberLine({ member }: { member: GroupMember }) {
  const known = useChat((state) => state.members.get(member.id))
  return (
    <>
      <Face member={known ?? member} size={28} />
      <bdi className={`${styles.words} ${styles.name}`}>{member.name}</bdi>
    </>
  )
}

function EditGroup({ group, onOpen, onClose }: ViewProps & { group?: Group }) {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const { busy, failure, submit } = useSubmit()
  const [name, setName] = useState(group?.name ?? '')
  const [givenTag, setTag] = useState(group?.tag)
  const [description, setDescription] = useState(group?.description ?? '')
  const [people, setPeople] = useState<ChatMember[]>([])
  const [isTried, setTried] = useState(false)
  const tag = givenTag ?? tagFrom(name)
  const save = async () => {
    setTried(true)
    if (name.trim() === '' || tag === '') return
    const body = { name: name.trim(), tag, description: description.trim() }
    let id = group?.id
    const isDone = await submit(async () => {
      if (group)
        return api<typeof updateGroup>('PATCH', '/groups/{groupId}', { params: { groupId: group.id }, body })
      const memberIds = people.map((member) => member.id)
      const made = await api<typeof createGroup>('POST', '/groups', { body: { ...body, memberIds } })
      id = made.id
    })
    if (isDone && id !== undefined) onOpen({ kind: 'group', groupId: id })
  }
  return (
    <Dialog title={group ? t.editTitle(named(group.name)) : t.newTitle} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          <Field label={t.name} mistake={isTried && name.trim() === '' ? t.nameMissing : undefined} required>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={name}
                maxLength={LIMITS.groupName}
                autoComplete="off"
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field
            label={t.tag}
            hint={tag === '' ? undefined : t.tagHint(tag)}
            mistake={isTried && tag === '' ? t.tagMissing : undefined}
            required
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                value={tag}
                maxLength={LIMITS.groupTag}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setTag(target.value.replace(/^@/, ''))}
              />
            )}
          </Field>
          <Field label={t.description}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={description}
                maxLength={LIMITS.groupDescription}
                autoComplete="off"
                onChange={({ target }) => setDescription(target.value)}
              />
            )}
          </Field>
          {!group && <PeopleField people={people} onChange={setPeople} without={[]} />}
          <Failure text={failure} />
        </DialogBody>
        <DialogActions action={group ? t.save : t.create} />
      </DialogForm>
    </Dialog>
  )
}

function AddPeople({ group, onOpen, onClose }: ViewProps & { group: Group }) {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const { busy, failure, submit } = useSubmit()
  const [people, setPeople] = useState<ChatMember[]>([])
  const add = async () => {
    const memberIds = people.map(({ id }) => id)
    const work = () =>
      api<typeof addGroupMembers>('POST', '/groups/{groupId}/members', {
        params: { groupId: group.id },
        body: { memberIds },
      })
    if (await submit(work)) onOpen({ kind: 'group', groupId: group.id })
  }
  return (
    <Dialog title={named(group.name)} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void add()}>
        <DialogBody>
          <PeopleField people={people} onChange={setPeople} without={[]} autoFocus />
          <Failure text={failure} />
        </DialogBody>
        <DialogActions action={t.addAction} disabled={people.length === 0} />
      </DialogForm>
    </Dialog>
  )
}

/** Groups have no bots: who is offered is a person. */
function PeopleField({
  people,
  onChange,
  without,
  autoFocus = false,
}: {
  people: ChatMember[]
  onChange: (people: ChatMember[]) => void
  without: readonly string[]
  autoFocus?: boolean
}) {
  const t = useTexts(groupTexts)
  return (
    <MemberPicker
      label={t.people}
      placeholder={t.choose}
      hint={t.addHint}
      chosen={people}
      onChange={onChange}
      without={without}
      type="user"
      max={LIMITS.groupMemberIds}
      autoFocus={autoFocus}
    />
  )
}

function DeleteGroup({ group, onOpen }: { group: Group; onOpen: (open: Open) => void }) {
  const t = useTexts(groupTexts)
  const api = useChatApi()
  const attempt = useAttempt()
  const [busy, setBusy] = useState(false)
  const remove = async () => {
    setBusy(true)
    const isDone = await attempt(() =>
      api<typeof deleteGroup>('DELETE', '/groups/{groupId}', { params: { groupId: group.id } }),
    )
    setBusy(false)
    onOpen(isDone ? { kind: 'list' } : { kind: 'group', groupId: group.id })
  }
  return (
    <Confirm
      title={t.deleteTitle(named(group.name))}
      text={t.deleteText}
      action={t.delete}
      busy={busy}
      onConfirm={() => void remove()}
      onClose={() => onOpen({ kind: 'group', groupId: group.id })}
    />
  )
}

function Failure({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className={dialogs.failure} role="alert">
      {text}
    </p>
  )
}

/** A word that can be mentioned, made of a name. */
const tagFrom = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((part) => part !== '')
    .join('-')
    .slice(0, LIMITS.groupTag)
