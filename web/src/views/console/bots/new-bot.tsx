import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { Credentials, createBot } from '../../../../../contract/people/bots.ts'
import type { listChatTopics, startChat } from '../../../../../contract/people/chat.ts'
import type { Reach } from '../../../../../contract/reach.ts'
import type { Scope } from '../../../../../contract/scopes.ts'
import type { addTopicMembers } from '../../../../../contract/topics.ts'
import { call } from '../../../api/call.ts'
import { chatApi } from '../../../api/chat.ts'
import { useMembership } from '../../../api/session.ts'
import { topicPath } from '../../../chat/views/addresses.ts'
import { setHandover } from '../../../chat/views/dialogs/bot-handover.ts'
import { Button, ButtonLink } from '../../../kit/button.tsx'
import { Checkbox, Choices } from '../../../kit/choice.tsx'
import { Card, Form, TextField } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { PageHead } from '../../../kit/page.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { common } from '../../../texts/common.ts'
import { useTexts } from '../../../texts/texts.ts'
import { ReachField } from '../../reach-field.tsx'
import { useRested } from '../changes.ts'
import { BOT_FIELDS, useBotPath, useBotsChanged } from './bot-data.ts'
import { DeliveryFields, type NamedTopic, PermissionField, ScopesField, TopicsField } from './fields.tsx'
import { Handover } from './handover.tsx'

/** The topic that one came from: there the new bot speaks first, and there its secret is shown. */
const topicInAddress = (): string | undefined =>
  new URLSearchParams(window.location.search).get('topic') ?? undefined

export default function View() {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const [, navigate] = useLocation()
  const [room] = useState(topicInAddress)
  const [made, setMade] = useState<Credentials>()
  const [controlTopicId, setControlTopic] = useState<string>()
  const done = (credentials: Credentials, topicIds: readonly string[]) => {
    if (room === undefined || !topicIds.includes(room)) {
      setControlTopic(topicIds[0])
      return setMade(credentials)
    }
    const { bot, apiKey, apiSecret, clientId, clientSecret } = credentials
    setHandover({
      topicId: room,
      bot,
      ...(apiKey !== undefined && { apiKey }),
      ...(apiSecret !== undefined && { apiSecret }),
      ...(clientSecret !== undefined && { clientId: clientId ?? bot.id, clientSecret }),
    })
    navigate(topicPath(room))
  }
  if (!made) {
    return (
      <>
        <PageHead key="new" title={t.create.title} about={t.create.about} />
        <NewBotForm room={room} onDone={done} />
      </>
    )
  }
  return (
    <>
      <PageHead key="done" title={t.create.done(named(made.bot.name))} about={t.create.doneAbout} />
      <Card label={t.handover.title}>
        <Handover credentials={made} controlTopicId={controlTopicId} />
        <Actions>
          <ButtonLink to={botPath(made.bot.id)} look="primary">
            {t.handover.toBot}
          </ButtonLink>
        </Actions>
      </Card>
    </>
  )
}

/** Enough to listen and to answer; further scopes are ticked for it. */
const FIRST_SCOPES: Scope[] = ['channel:list', 'message:read', 'message:send', 'member:read', 'updates:read']

/** Topics that a bot can be put into, those that the admin is in: the first of them, and whether there are more. */
const topicsQuery = (organizationId: string, room: string | undefined) =>
  queryOptions({
    queryKey: ['topics for a bot', organizationId, room],
    queryFn: async () => {
      const query = { ...(room !== undefined && { topicId: room }) }
      const { topics, more } = await chatApi(organizationId)<typeof startChat>('GET', '/start', { query })
      return {
        topics: topics.filter(({ type, archivedAt }) => type === 'topic' && archivedAt === null),
        hasMore: more.includes('topics'),
      }
    },
  })

const FOUND_TOPICS = 50
const foundTopicsQuery = (organizationId: string, search: string, isWanted: boolean) =>
  queryOptions({
    queryKey: ['topics for a bot by name', organizationId, search],
    queryFn: async () => {
      const query = { search, limit: FOUND_TOPICS }
      const { topics } = await chatApi(organizationId)<typeof listChatTopics>('GET', '/topics', { query })
      return topics
    },
    enabled: isWanted,
    placeholderData: (before) => before,
  })

function NewBotForm({
  room,
  onDone,
}: {
  room: string | undefined
  onDone: (made: Credentials, topicIds: readonly string[]) => void
}) {
  const t = useTexts(texts)
  const words = useTexts(common)
  const { organizationId } = useMembership()
  const changed = useBotsChanged()
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [credential, setCredential] = useState<'static' | 'oauth'>('static')
  const [permission, setPermission] = useState<'read' | 'write'>('write')
  const [scopes, setScopes] = useState<Scope[]>(FIRST_SCOPES)
  const [delivery, setDelivery] = useState<'polling' | 'webhook'>('polling')
  const [url, setUrl] = useState('')
  const [pollVoteEvents, setPollVoteEvents] = useState(false)
  const [reach, setReach] = useState<Reach>('everything')
  const queries = useQueryClient()
  const listed = topicsQuery(organizationId, room)
  const { data: { topics, hasMore } = { topics: [], hasMore: false } } = useQuery(listed)
  const [search, setSearch] = useState('')
  const { data: found = topics } = useQuery(foundTopicsQuery(organizationId, useRested(search), hasMore))
  const [chosenTopics, setChosenTopics] = useState<readonly NamedTopic[]>()
  // Bots join nothing by themselves: their maker says where they are, and the topic that everybody is in is a good guess.
  const topicsAmong = (all: typeof topics): readonly NamedTopic[] =>
    chosenTopics ??
    all.filter(({ id, joinedByDefault }) => (room === undefined ? joinedByDefault : id === room))
  const joined = topicsAmong(topics)

  const form = useForm({
    asksBeforeLeaving: true,
    check: () => ({
      name: name.trim() === '' && t.create.nameRequired,
      url: delivery === 'webhook' && url.trim() === '' && t.delivery.urlRequired,
    }),
    send: async () => {
      // Topics that the list would have shown as chosen count also for an admin who was quicker than the list.
      const joinedIds = topicsAmong((await queries.ensureQueryData(listed)).topics).map(({ id }) => id)
      const credentials = await call<typeof createBot>(
        'POST',
        '/people/organizations/{organizationId}/bots',
        {
          params: { organizationId },
          body: {
            name: name.trim(),
            ...(description.trim() !== '' && { description: description.trim() }),
            credential,
            ...(credential === 'static' ? { permission } : { scopes }),
            delivery,
            ...(delivery === 'webhook' && { webhookUrl: url.trim() }),
            pollVoteEvents,
          },
        },
      )
      const body = { memberIds: [credentials.bot.id], reach }
      // A topic that is gone by now must not take the secret with it, which is shown once.
      await Promise.allSettled(
        joinedIds.map((topicId) =>
          chatApi(organizationId)<typeof addTopicMembers>('POST', '/topics/{topicId}/members', {
            params: { topicId },
            body,
          }),
        ),
      )
      return { credentials, joinedIds }
    },
    fields: BOT_FIELDS,
    onDone: ({ credentials, joinedIds }) => {
      void changed()
      onDone(credentials, joinedIds)
    },
  })
  return (
    <Card>
      <Form
        form={form}
        actions={
          <>
            <Button look="primary" submit busy={form.busy}>
              {t.create.button}
            </Button>
            <ButtonLink to={`/console/${organizationId}/bots`}>{words.cancel}</ButtonLink>
          </>
        }
      >
        <TextField
          label={t.name.label}
          hint={t.name.hint}
          mistake={form.mistake('name')}
          required
          autoComplete="off"
          maxLength={LIMITS.botName}
          value={name}
          onChange={setName}
        />
        <TextField
          label={t.description.label}
          hint={t.description.hint}
          autoComplete="off"
          maxLength={LIMITS.botDescription}
          value={description}
          onChange={setDescription}
        />
        <Choices
          label={t.credential.legend}
          value={credential}
          onChange={setCredential}
          options={[
            { value: 'static', label: t.credential.static, about: t.credential.staticHint },
            { value: 'oauth', label: t.credential.oauth, about: t.credential.oauthHint },
          ]}
        />
        {credential === 'static' ? (
          <PermissionField value={permission} onChange={setPermission} />
        ) : (
          <ScopesField value={scopes} onChange={setScopes} />
        )}
        <DeliveryFields
          delivery={delivery}
          url={url}
          urlMistake={form.mistake('url')}
          onDelivery={setDelivery}
          onUrl={setUrl}
        />
        {topics.length > 0 && (
          <TopicsField
            topics={hasMore ? found : topics}
            value={joined}
            onChange={setChosenTopics}
            {...(hasMore && { onSearch: setSearch })}
          />
        )}
        {joined.length > 0 && <ReachField value={reach} onChange={setReach} />}
        <Checkbox
          label={t.votes.label}
          about={t.votes.hint}
          isOn={pollVoteEvents}
          onChange={setPollVoteEvents}
        />
      </Form>
    </Card>
  )
}
