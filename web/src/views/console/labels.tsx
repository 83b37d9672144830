import { useMutation, useQuery } from '@tanstack/react-query'
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
import { common } from '../../texts/common.ts'
import { labels } from '../../texts/labels.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button } from '../../ui/controls.tsx'
import { CancelButton, Confirm, Dialog } from '../../ui/dialog.tsx'
import { Form, TextField, useForm } from '../../ui/form.tsx'
import { Name, named } from '../../ui/name.tsx'
import { PageHead } from '../../ui/page.tsx'
import { Empty, Loaded } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
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
      <div className="card">
        <div className="filters">
          <Create />
        </div>
        <Loaded query={query}>
          {(data) =>
            data.labels.length === 0 ? (
              <Empty title={t.none.title}>
                <p>{t.none.text}</p>
              </Empty>
            ) : (
              <Table labels={data.labels} onOpen={setOpen} />
            )
          }
        </Loaded>
      </div>
      {open?.kind === 'rename' && <Rename label={open.label} onClose={close} />}
      {open?.kind === 'delete' && <Delete label={open.label} onClose={close} />}
    </>
  )
}

/** Every refusal of a label is about its name, except that it is gone. */
const fieldOf = (refusal: string) => (refusal === 'Label not found' ? undefined : 'name')

function Create() {
  const t = useTexts(labels)
  const toast = useToast()
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
    fieldOf,
    onDone: (label) => {
      setName('')
      changed('label')
      toast(t.created(named(label.name)))
      form.ref.current?.querySelector('input')?.focus()
    },
  })
  return (
    <Form
      form={form}
      inline
      actions={
        <Button type="submit" look="primary" busy={form.busy}>
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

function Table({ labels: shown, onOpen }: { labels: readonly Label[]; onOpen: (open: Open) => void }) {
  const t = useTexts(labels)
  return (
    <div className="tablewrap">
      <table className="stacks">
        <caption className="hidden">{t.title}</caption>
        <thead>
          <tr>
            <th scope="col">{t.columns.name}</th>
            <th scope="col">{t.columns.topics}</th>
            <th scope="col" className="end">
              {t.columns.actions}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((label) => (
            <tr key={label.id}>
              <td className="named">
                <strong>
                  <Name text={label.name} />
                </strong>
              </td>
              <td data-label={t.columns.topics}>{label.topics}</td>
              <td className="end">
                <div className="actions end tight">
                  <Button
                    look="small"
                    aria-label={t.rename.of(label.name)}
                    onClick={() => onOpen({ kind: 'rename', label })}
                  >
                    {t.rename.action}
                  </Button>
                  <Button
                    look={['danger', 'small']}
                    aria-label={t.delete.of(label.name)}
                    onClick={() => onOpen({ kind: 'delete', label })}
                  >
                    {t.delete.action}
                  </Button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Rename({ label, onClose }: { label: Label; onClose: () => void }) {
  const t = useTexts(labels)
  const c = useTexts(common)
  const toast = useToast()
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
    fieldOf,
    onDone: (renamed) => {
      changed('label')
      toast(t.rename.done(named(renamed.name)))
      onClose()
    },
  })
  return (
    <Dialog title={t.rename.title(named(label.name))} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {c.save}
            </Button>
          </>
        }
      >
        <TextField
          label={t.rename.name}
          autoComplete="off"
          maxLength={LIMITS.labelName}
          required
          value={name}
          onChange={setName}
          mistake={form.mistake('name')}
        />
      </Form>
    </Dialog>
  )
}

function Delete({ label, onClose }: { label: Label; onClose: () => void }) {
  const t = useTexts(labels).delete
  const toast = useToast()
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof deleteLabel>('DELETE', LABEL, { params: { organizationId, labelId: label.id } }),
    onSuccess: () => {
      changed('label')
      toast(t.done(named(label.name)))
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
