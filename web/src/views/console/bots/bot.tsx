import { Pause, Play } from 'lucide-react'
import { useEffect } from 'react'
import type { ConsoleBot } from '../../../../../contract/people/bots.ts'
import { Refused } from '../../../api/call.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { useErrorText } from '../../../kit/error-text.ts'
import { Face } from '../../../kit/face.tsx'
import { Row } from '../../../kit/layout.tsx'
import { named } from '../../../kit/name.tsx'
import { ErrorNotice, Notice, StateMark } from '../../../kit/notice.tsx'
import { BackLink, PageHead, Tabs } from '../../../kit/page.tsx'
import { Loaded } from '../../../kit/states.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { bots as texts } from '../../../texts/bots.ts'
import { useTexts } from '../../../texts/texts.ts'
import { NotFound } from '../../not-found.tsx'
import { STATE_TONES, stateOf, useBot, useBotPath, useUpdateBot } from './bot-data.ts'
import { CredentialsTab } from './credentials.tsx'
import { DeliveriesTab } from './deliveries.tsx'
import { EventsTab } from './events.tsx'
import { IncomingTab } from './incoming.tsx'
import { RehearsalsTab } from './rehearsals.tsx'
import { SettingsTab } from './settings.tsx'
import { SignatureTab } from './signature.tsx'

const TABS = {
  settings: SettingsTab,
  credentials: CredentialsTab,
  deliveries: DeliveriesTab,
  events: EventsTab,
  incoming: IncomingTab,
  rehearsals: RehearsalsTab,
  signature: SignatureTab,
}
type Tab = keyof typeof TABS
const TAB_NAMES = [
  'settings',
  'credentials',
  'deliveries',
  'events',
  'incoming',
  'rehearsals',
  'signature',
] as const
const isTab = (name: string): name is Tab => Object.hasOwn(TABS, name)

/** Whether the bot was deleted while its page was open. */
const isGone = (error: unknown): boolean => error instanceof Refused && error.status === 404

export default function View({ botId, tab = 'settings' }: { botId: string; tab: string | undefined }) {
  const t = useTexts(texts)
  const { organizationId } = useMembership()
  const query = useBot(botId)
  if (!isTab(tab)) return <NotFound />
  return (
    <>
      <BackLink to={`/console/${organizationId}/bots`}>{t.head.back}</BackLink>
      {query.isError && (query.data === undefined || isGone(query.error)) ? (
        <>
          <PageHead title={t.head.missing} />
          <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
        </>
      ) : (
        <Loaded query={query}>{(bot) => <Bot bot={bot} tab={tab} />}</Loaded>
      )}
    </>
  )
}

/** At once, and without a question: nothing is lost by it, and the same button takes it back. */
function PauseButton({ bot }: { bot: ConsoleBot }) {
  const t = useTexts(texts).pause
  const errorText = useErrorText()
  const update = useUpdateBot(bot.id)
  const isPaused = bot.pausedAt !== undefined
  const toggle = () =>
    update.mutate(
      { paused: !isPaused },
      {
        onSuccess: ({ name }) =>
          showToast({ text: isPaused ? t.resumed(named(name)) : t.paused(named(name)) }),
        onError: (error) => showToast({ text: errorText(error), tone: 'bad' }),
      },
    )
  return (
    <Button
      icon={isPaused ? Play : Pause}
      look={isPaused ? 'primary' : 'outline'}
      busy={update.isPending}
      onClick={toggle}
    >
      {isPaused ? t.resume : t.pause}
    </Button>
  )
}

function Bot({ bot, tab }: { bot: ConsoleBot; tab: Tab }) {
  const t = useTexts(texts)
  const botPath = useBotPath()
  const state = stateOf(bot)
  const Shown = TABS[tab]
  const tabName = t.tabs[tab]
  useEffect(() => {
    document.title = `${tabName} · ${bot.name} · Parley`
  }, [tabName, bot.name])
  return (
    <>
      <PageHead
        title={bot.name}
        about={
          <Row>
            <Face member={{ ...bot, type: 'bot' }} size={24} />
            <StateMark tone={STATE_TONES[state]}>{t.states[state]}</StateMark>
            <span>{bot.delivery === 'webhook' ? t.head.webhook : t.head.polling}</span>
          </Row>
        }
      >
        {bot.active && <PauseButton bot={bot} />}
      </PageHead>
      {bot.active && bot.pausedAt !== undefined && (
        <Notice tone="warn">
          <p>
            {t.pause.isPaused} {t.pause.since} <Time at={bot.pausedAt} exact />
          </p>
        </Notice>
      )}
      <Tabs
        label={t.tabs.label}
        tabs={TAB_NAMES.map((name) => ({
          to: botPath(bot.id, name),
          name: t.tabs[name],
          isOpen: name === tab,
        }))}
      />
      <Shown bot={bot} />
    </>
  )
}
