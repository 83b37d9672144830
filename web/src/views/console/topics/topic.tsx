import { useMutation } from '@tanstack/react-query'
import { Ellipsis, UserMinus, UserPlus } from 'lucide-react'
import { useContext, useState } from 'react'
import type { ConsoleTopic, TopicMember } from '../../../../../contract/people/topics.ts'
import { REACHES, type Reach } from '../../../../../contract/reach.ts'
import { useMembership } from '../../../api/session.ts'
import { Button, ButtonLink, IconButton } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import { Face } from '../../../kit/face.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { ErrorNotice, Notice } from '../../../kit/notice.tsx'
import { BackLink, PageHead } from '../../../kit/page.tsx'
import { RowName } from '../../../kit/row-name.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { Table } from '../../../kit/table.tsx'
import { useTableAddress } from '../../../kit/table-address.ts'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { consoleTopics } from '../../../texts/console-topics.ts'
import { reach as reachTexts } from '../../../texts/reach.ts'
import { recordsTexts } from '../../../texts/records.ts'
import { table as tableTexts } from '../../../texts/table.ts'
import { LanguageContext, useTexts } from '../../../texts/texts.ts'
import { useSettings } from '../changes.ts'
import { AddMembers } from './add-members.tsx'
import { useMembersChange, useTopic, useTopicChange, useTopicMembers } from './topic-data.ts'
import { useTopicMenu } from './topic-menu.tsx'

/** One topic as admins see it: who is in it, and what can be done with it. */
export default function Topic({ topicId }: { topicId: string }) {
  const query = useTopic(topicId)
  if (query.data) return <Shown topic={query.data} />
  if (query.isError) return <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  return <SkeletonRows />
}

function Shown({ topic }: { topic: ConsoleTopic }) {
  const all = useTexts(consoleTopics)
  const t = all.one
  const k = useTexts(tableTexts)
  const { organizationId } = useMembership()
  const { entries, asked } = useTopicMenu()
  const [isAdding, setAdding] = useState(false)
  const settings = useSettings().data
  const r = useTexts(recordsTexts).keep
  const language = useContext(LanguageContext)
  const days = topic.keepMessagesDays ?? settings?.keepMessagesDays
  // Shows nothing if neither the topic nor the organization has a setting.
  const kept = days ? [r.daysNow(days, days.toLocaleString(language))] : days === 0 ? [r.forEverNow] : []
  return (
    <>
      <BackLink to={`/console/${organizationId}/topics`}>{t.back}</BackLink>
      <PageHead
        title={topic.name}
        about={[all.states[topic.state], t.about(topic.people, topic.bots), ...kept].join(' · ')}
      >
        <ButtonLink to={`/console/${organizationId}/topics/${topic.id}/content`}>
          {all.content.open}
        </ButtonLink>
        {topic.state !== 'archived' && (topic.open || topic.isMember) && (
          <Button look="primary" icon={UserPlus} onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )}
        <Menu
          label={k.actionsOf(topic.name)}
          align="end"
          entries={() => entries(topic)}
          trigger={(props) => <IconButton {...props} label={k.actionsOf(topic.name)} icon={Ellipsis} />}
        />
      </PageHead>
      {topic.state === 'closed' && !topic.isMember && <Notice>{t.fromInside}</Notice>}
      {topic.botsStoppedAt !== undefined && <BotsStopped topic={topic} since={topic.botsStoppedAt} />}
      <Members topic={topic} />
      {isAdding && <AddMembers topic={topic} onClose={() => setAdding(false)} />}
      {asked}
    </>
  )
}

function BotsStopped({ topic, since }: { topic: ConsoleTopic; since: number }) {
  const t = useTexts(consoleTopics).one
  const errorText = useErrorText()
  const change = useTopicChange(() => showToast({ text: t.botsReleased }))
  return (
    <Notice tone="warn">
      <p>
        {t.botsStopped} {t.botsStoppedSince} <Time at={since} exact />
      </p>
      <Button
        size="small"
        busy={change.isPending}
        onClick={() =>
          change.mutate(
            { topicId: topic.id, botsStopped: false },
            { onError: (error) => showToast({ text: errorText(error), tone: 'bad' }) },
          )
        }
      >
        {t.releaseBots}
      </Button>
    </Notice>
  )
}

function Members({ topic }: { topic: ConsoleTopic }) {
  const t = useTexts(consoleTopics).one
  const address = useTableAddress({ filters: {}, sorts: ['name'], sort: ['name', 'asc'] })
  const { search, cursor } = address
  const query = useTopicMembers(topic.id, { search, ...(cursor !== '' && { cursor }) })
  const [removing, setRemoving] = useState<{ members: readonly TopicMember[]; clear: () => void }>()
  const { remove, setReach } = useMembersChange(topic.id)
  const change = useMutation({
    mutationFn: (members: readonly TopicMember[]) => remove(members.map(({ id }) => id)),
    onSuccess: (_topic, members) => {
      showToast({ text: t.remove.done(members.length) })
      removing?.clear()
      setRemoving(undefined)
    },
  })
  const r = useTexts(reachTexts)
  const errorText = useErrorText()
  const chooseReach = useMutation({
    mutationFn: ({ member, reach }: { member: TopicMember; reach: Reach }) => setReach(member.id, reach),
    onSuccess: (_nothing, { member }) => showToast({ text: r.changed(named(member.name)) }),
    onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
  })
  /** The widest choice: people who are not in a closed topic only let a bot hear less. */
  const leastOf = ({ reach = 'everything' }: TopicMember): number =>
    topic.open || topic.isMember ? 0 : REACHES.indexOf(reach)
  const reachChoice = (member: TopicMember): MenuEntry => ({
    kind: 'choice',
    label: r.label,
    value: member.reach ?? 'everything',
    options: REACHES.filter((_, place) => place >= leastOf(member)).map(
      (one) => [one, r.names[one]] as const,
    ),
    onChange: (chosen) => {
      const reach = REACHES.find((one) => one === chosen)
      if (reach) chooseReach.mutate({ member, reach })
    },
  })
  const [first] = removing?.members ?? []
  return (
    <>
      <Table
        label={t.members}
        address={address}
        query={query}
        nameOf={({ name }) => name}
        search={t.search}
        columns={[
          { label: t.members, cell: (member) => <Who member={member} /> },
          { label: t.joined, width: '24%', cell: ({ joinedAt }) => <Time at={joinedAt} /> },
        ]}
        menu={(member) => [
          ...(member.reach === undefined || topic.state === 'archived' ? [] : [reachChoice(member)]),
          {
            label: t.remove.action,
            icon: UserMinus,
            danger: true,
            onSelect: () => setRemoving({ members: [member], clear: () => {} }),
          },
        ]}
        bulk={(members, clear) => (
          <Button size="small" icon={UserMinus} onClick={() => setRemoving({ members, clear })}>
            {t.remove.action}
          </Button>
        )}
        count={t.count}
        empty={t.none}
      />
      {removing && first && (
        <Confirm
          title={t.remove.title(removing.members.length, named(first.name))}
          text={t.remove.text}
          costs={Object.values(t.remove.costs)}
          action={t.remove.action}
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(removing.members)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

function Who({ member }: { member: TopicMember }) {
  const t = useTexts(reachTexts)
  return (
    <RowName
      mark={<Face member={member} size={32} />}
      name={member.name}
      chip={member.type === 'bot' && <BotChip />}
      note={member.reach === undefined ? member.email : t.hears[member.reach]}
    />
  )
}
