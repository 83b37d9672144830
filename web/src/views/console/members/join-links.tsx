import { useMutation, useQuery } from '@tanstack/react-query'
import { Link as LinkIcon, X } from 'lucide-react'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type {
  createJoinLink,
  JoinLink,
  listJoinLinks,
  revokeJoinLink,
} from '../../../../../contract/people/join-links.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { CopyButton } from '../../../kit/copy.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { FormDialog, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Name, named } from '../../../kit/name.tsx'
import { Notice, StateMark } from '../../../kit/notice.tsx'
import { BackLink, PageHead } from '../../../kit/page.tsx'
import { Empty, Loaded } from '../../../kit/states.tsx'
import { TableRows } from '../../../kit/table-rows.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { joinLinks } from '../../../texts/join-links.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged, useSettings } from '../changes.ts'

const LINKS = '/people/organizations/{organizationId}/join-links'
const DAYS = ['1', '7', '30', '90', '365'] as const

/** Links by which people of a domain can join. */
export default function JoinLinks() {
  const t = useTexts(joinLinks)
  const { organizationId } = useMembership()
  const [isMaking, setMaking] = useState(false)
  const [doomed, setDoomed] = useState<JoinLink>()
  const sendsNoMail = useSettings().data?.server.mail === 'outbox'
  const query = useQuery({
    queryKey: keys.of(organizationId, 'member', 'join-links'),
    queryFn: () => call<typeof listJoinLinks>('GET', LINKS, { params: { organizationId } }),
    // The answer holds the links, so it leaves memory with the page.
    gcTime: 0,
  })
  return (
    <>
      <BackLink to={`/console/${organizationId}/members`}>{t.back}</BackLink>
      <PageHead title={t.title} about={t.about}>
        <Button look="primary" icon={LinkIcon} onClick={() => setMaking(true)}>
          {t.make}
        </Button>
      </PageHead>
      {sendsNoMail && <Notice tone="warn">{t.noMail}</Notice>}
      <Loaded query={query}>
        {({ joinLinks: links }) =>
          links.length === 0 ? (
            <Empty title={t.none.title}>
              <p>{t.none.text}</p>
            </Empty>
          ) : (
            <Links links={links} onRevoke={setDoomed} />
          )
        }
      </Loaded>
      {isMaking && <Make onClose={() => setMaking(false)} />}
      {doomed && <Revoke link={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  )
}

const domainsOf = ({ domains }: JoinLink): string => domains.join(', ')

function Links({ links, onRevoke }: { links: readonly JoinLink[]; onRevoke: (link: JoinLink) => void }) {
  const t = useTexts(joinLinks)
  return (
    <TableRows
      label={t.title}
      rows={links}
      nameOf={domainsOf}
      columns={[
        {
          label: t.columns.domains,
          cell: (link) => (
            <strong>
              <Name text={domainsOf(link)} />
            </strong>
          ),
        },
        { label: t.columns.uses, width: '14%', cell: ({ uses, maxUses }) => t.uses(uses, maxUses) },
        { label: t.columns.ends, width: '18%', cell: (link) => <End link={link} /> },
        {
          label: t.columns.by,
          width: '18%',
          cell: ({ createdByName }) => <Name text={createdByName} />,
        },
        {
          label: t.copy,
          width: '16%',
          cell: (link) => link.isOpen && <CopyButton text={link.url} label={t.copy} of={domainsOf(link)} />,
        },
      ]}
      menu={(link) => [{ label: t.revoke.action, icon: X, danger: true, onSelect: () => onRevoke(link) }]}
    />
  )
}

function End({ link: { isOpen, expiresAt } }: { link: JoinLink }) {
  const t = useTexts(joinLinks).states
  if (isOpen) return <Time at={expiresAt} />
  return <StateMark tone="plain">{expiresAt > Date.now() ? t.usedUp : t.ended}</StateMark>
}

function Make({ onClose }: { onClose: () => void }) {
  const all = useTexts(joinLinks)
  const t = all.making
  const changed = useChanged()
  const { organizationId } = useMembership()
  const [written, setWritten] = useState('')
  const [days, setDays] = useState<(typeof DAYS)[number]>('7')
  const [most, setMost] = useState('')
  const domains = written.split(/[\s,;]+/).filter((domain) => domain !== '')
  const count = Number(most)
  const isCount = Number.isInteger(count) && count >= 1 && count <= LIMITS.joinLinkUses
  const form = useForm<'domains' | 'most', JoinLink>({
    asksBeforeLeaving: true,
    check: () => ({
      domains:
        (domains.length === 0 && t.domainsMissing) ||
        (domains.length > LIMITS.joinLinkDomains && t.domainsTooMany(LIMITS.joinLinkDomains)),
      most: most.trim() !== '' && !isCount && t.mostWrong,
    }),
    send: () =>
      call<typeof createJoinLink>('POST', LINKS, {
        params: { organizationId },
        body: { domains, days: Number(days), ...(most.trim() !== '' && { maxUses: count }) },
      }),
    fields: { domains: 'domains' },
    onDone: () => {
      changed('member')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.title} action={t.action} onClose={onClose}>
      <TextField
        label={t.domains}
        hint={t.domainsHint}
        placeholder="example.com"
        autoComplete="off"
        required
        value={written}
        onChange={setWritten}
        mistake={form.mistake('domains')}
      />
      <SelectField
        label={t.days}
        options={DAYS.map((one) => [one, t.dayCount(Number(one))] as const)}
        value={days}
        onChange={setDays}
      />
      <TextField
        label={t.most}
        hint={t.mostHint}
        inputMode="numeric"
        autoComplete="off"
        value={most}
        onChange={setMost}
        mistake={form.mistake('most')}
      />
    </FormDialog>
  )
}

function Revoke({ link, onClose }: { link: JoinLink; onClose: () => void }) {
  const t = useTexts(joinLinks).revoke
  const changed = useChanged()
  const { organizationId } = useMembership()
  const revoking = useMutation({
    mutationFn: () =>
      call<typeof revokeJoinLink>('DELETE', `${LINKS}/{joinLinkId}`, {
        params: { organizationId, joinLinkId: link.id },
      }),
    onSuccess: () => {
      changed('member')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title(named(domainsOf(link)))}
      text={t.text}
      costs={Object.values(t.costs)}
      action={t.action}
      busy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    />
  )
}
