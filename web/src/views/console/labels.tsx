import { useMutation, useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  createConsoleLabel,
  deleteLabel,
  listConsoleLabels,
  renameLabel,
} from '../../../../contract/people/labels.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Form, FormDialog, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Name, named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { TableRows } from '../../kit/table-rows.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { labels } from '../../texts/labels.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

const LABELS = '/people/organizations/{organizationId}/labels'
const LABEL = `${LABELS}/{labelId}` as const

type Label = Awaited<ReturnType<typeof call<typeof listConsoleLabels>>>['labels'][number]
type Open = { kind: 'rename' | 'delete'; label: Label }

export default function Labels() {
  const t = useTexts(labels)
  const { organizationId } = useMembership()
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const query = useQuery({
    queryKey: keys.of(organizationId, 'label', 'list'),
    queryFn: () => call<typeof listConsoleLabels>('GET', LABELS, { params: { organizationId } }),
  })
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Create />
      <Loaded query={query}>
        {(data) =>
          data.labels.length === 0 ? (
            <Empty title={t.none.title}>
              <p>{t.none.text}</p>
            </Empty>
          ) : (
            <LabelTable labels={data.labels} onOpen={setOpen} />
          )
        }
      </Loaded>
      {open?.kind === 'rename' && <Rename label={open.label} onClose={close} />}
      {open?.kind === 'delete' && <Delete label={open.label} onClose={close} />}
    </>
  )
}

function Create() {
  const t = useTexts(labels)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [name, setName] = useState('')
  const form = useForm<'name', { name: string }>({
    check: () => ({ name: name.trim() === '' && t.missing }),
    send: () =>
      call<typeof createConsoleLabel>('POST', LABELS, {
        params: { organizationId },
        body: { name: name.trim() },
      }),
    fields: { name: 'name' },
    onDone: (label) => {
      setName('')
      changed('label')
      showToast({ text: t.created(named(label.name)) })
      form.ref.current?.querySelector('input')?.focus()
    },
  })
  return (
    <Form
      form={form}
      inline
      actions={
        <Button submit look="primary" busy={form.busy}>
          {t.create}
        </Button>
      }
    >
      <TextField
        label={t.new}
        placeholder={t.placeholder}
        autoComplete="off"
        maxLength={LIMITS.labelName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
    </Form>
  )
}

function LabelTable({ labels: shown, onOpen }: { labels: readonly Label[]; onOpen: (open: Open) => void }) {
  const t = useTexts(labels)
  return (
    <TableRows
      label={t.title}
      rows={shown}
      nameOf={({ name }) => name}
      columns={[
        {
          label: t.columns.name,
          cell: ({ name }) => (
            <strong>
              <Name text={name} />
            </strong>
          ),
        },
        { label: t.columns.topics, width: '20%', isNumber: true, cell: ({ topics }) => topics },
      ]}
      menu={(label) => [
        { label: t.rename.action, icon: Pencil, onSelect: () => onOpen({ kind: 'rename', label }) },
        {
          label: t.delete.action,
          icon: Trash2,
          danger: true,
          onSelect: () => onOpen({ kind: 'delete', label }),
        },
      ]}
    />
  )
}

function Rename({ label, onClose }: { label: Label; onClose: () => void }) {
  const t = useTexts(labels)
  const c = useTexts(common)
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [name, setName] = useState(label.name)
  const form = useForm<'name', { name: string }>({
    check: () => ({ name: name.trim() === '' && t.missing }),
    send: () =>
      call<typeof renameLabel>('PATCH', LABEL, {
        params: { organizationId, labelId: label.id },
        body: { name: name.trim() },
      }),
    fields: { name: 'name' },
    onDone: (renamed) => {
      changed('label')
      showToast({ text: t.rename.done(named(renamed.name)) })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.rename.title(named(label.name))} action={c.save} onClose={onClose}>
      <TextField
        label={t.rename.name}
        autoComplete="off"
        maxLength={LIMITS.labelName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
    </FormDialog>
  )
}

function Delete({ label, onClose }: { label: Label; onClose: () => void }) {
  const t = useTexts(labels).delete
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteLabel>('DELETE', LABEL, { params: { organizationId, labelId: label.id } }),
    onSuccess: () => {
      changed('label')
      showToast({ text: t.done(named(label.name)) })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(label.name))}
      text={t.text(label.topics)}
      action={t.action}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
