import { useContext, useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { OrganizationSettings } from '../../../../contract/people/organization.ts'
import { useMembership } from '../../api/session.ts'
import { Choices } from '../../kit/choice.tsx'
import { Card, FormCard, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Columns, Quiet, Stack } from '../../kit/layout.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { settings as texts } from '../../texts/settings.ts'
import { LanguageContext, useTexts } from '../../texts/texts.ts'
import { useSettings, useSettingsChange } from './changes.ts'
import { MemberAssistants } from './member-assistants.tsx'
import { SavedSwitch } from './saved-switch.tsx'
import { EditTime } from './settings-edit-time.tsx'
import { FourEyes } from './settings-four-eyes.tsx'
import { Logo } from './settings-logo.tsx'
import { Retention } from './settings-retention.tsx'
import { SignInDays } from './settings-sign-in.tsx'
import { BlockedWords } from './settings-words.tsx'

const RATE_MAX = 1_000_000
/** Plain numbers only: what "1.000" means depends on who writes it. */
const WHOLE = /^\d{1,7}$/

export default function Settings() {
  const t = useTexts(texts)
  const settings = useSettings()
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Loaded query={settings}>
        {(data) => (
          <Columns>
            <NameForm settings={data} />
            <Card title={t.logo.title} about={t.logo.about}>
              <Logo settings={data} />
            </Card>
            <RateLimit settings={data} />
            <Retention settings={data} />
            <BlockedWords settings={data} />
            <Rule words={t.secondFactor} setting="requireSecondFactor" settings={data} isForOwners />
            <Rule words={t.adminFactor} setting="adminsNeedSecondFactor" settings={data} isForOwners />
            <Rule words={t.signOn} setting="requireSignOn" settings={data} isForOwners />
            <SignInDays settings={data} />
            <Rule words={t.assistants} setting="allowAssistants" settings={data} />
            <MemberAssistants />
            <Rule
              words={t.previews}
              setting="linkPreviews"
              settings={data}
              isElsewhere={!data.server.linkPreviews}
            />
            <Rule words={t.presence} setting="showPresence" settings={data} />
            <Rule words={t.replies} setting="repliesInTopics" settings={data} />
            <Rule words={t.largeMentions} setting="membersMentionMany" settings={data} />
            <Rule words={t.topics} setting="membersCreateTopics" settings={data} />
            <Rule words={t.guests} setting="membersInviteGuests" settings={data} />
            <EditTime settings={data} />
            <FourEyes settings={data} />
            <Rule
              words={t.agents}
              setting="agentSignup"
              settings={data}
              isForOwners
              isElsewhere={!data.server.isHome}
            />
          </Columns>
        )}
      </Loaded>
    </>
  )
}

type Props = { settings: OrganizationSettings }

function NameForm({ settings }: Props) {
  const t = useTexts(texts).name
  const c = useTexts(common)
  const change = useSettingsChange()
  const [name, setName] = useState(settings.name)
  const form = useForm<'name', OrganizationSettings>({
    check: () => ({ name: name.trim() === '' && t.missing }),
    isSame: name.trim() === settings.name,
    asksBeforeLeaving: true,
    send: () => change({ name: name.trim() }),
    fields: { name: 'name' },
    onDone: (saved) => {
      setName(saved.name)
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} action={c.save} actionLabel={t.save}>
      <TextField
        label={t.label}
        autoComplete="organization"
        maxLength={LIMITS.companyName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
    </FormCard>
  )
}

function RateLimit({ settings: { rateLimit, server } }: Props) {
  const t = useTexts(texts).rate
  const c = useTexts(common)
  const language = useContext(LanguageContext)
  const change = useSettingsChange()
  const [choice, setChoice] = useState<'server' | 'own'>(rateLimit ? 'own' : 'server')
  const [own, setOwn] = useState(String(rateLimit || server.rateLimit || 1000))
  const number = Number(own)
  const most = Math.min(server.rateLimit || RATE_MAX, RATE_MAX)
  const isValid = WHOLE.test(own.trim()) && number >= 1 && number <= most
  const value = choice === 'own' ? number : null
  const form = useForm<'own', OrganizationSettings>({
    check: () => ({ own: choice === 'own' && !isValid && t.invalid(String(most)) }),
    isSame: value === (rateLimit || null),
    asksBeforeLeaving: true,
    send: () => change({ rateLimit: value }),
    fields: { rateLimit: 'own' },
    onDone: (saved) => {
      if (saved.rateLimit) setOwn(String(saved.rateLimit))
      showToast({ text: t.saved })
    },
  })
  return (
    <FormCard form={form} title={t.title} about={t.about} action={c.save} actionLabel={t.save}>
      <Choices
        label={t.legend}
        options={[
          {
            value: 'server',
            label: t.server,
            about:
              server.rateLimit === 0 ? t.serverNone : t.serverHint(server.rateLimit.toLocaleString(language)),
          },
          { value: 'own', label: t.own },
        ]}
        value={choice}
        onChange={setChoice}
      />
      {choice === 'own' && (
        <TextField
          label={t.ownLabel}
          hint={server.rateLimit === 0 ? undefined : t.ownHint(String(most))}
          inputMode="numeric"
          autoComplete="off"
          required
          value={own}
          onChange={setOwn}
          mistake={form.mistake('own')}
        />
      )}
    </FormCard>
  )
}

type RuleWords = { title: string; label: string; hint: string; turnedOn: string; turnedOff: string } & (
  | { on: string; off: string; others: string }
  | { on?: never; off?: never; others?: never }
)

/** A setting that is on or off. People who may not change it read its value, and who may. */
function Rule({
  words: t,
  setting,
  settings,
  isForOwners = false,
  isElsewhere = false,
}: Props & {
  words: RuleWords
  setting:
    | 'requireSecondFactor'
    | 'adminsNeedSecondFactor'
    | 'requireSignOn'
    | 'allowAssistants'
    | 'linkPreviews'
    | 'showPresence'
    | 'repliesInTopics'
    | 'membersMentionMany'
    | 'membersCreateTopics'
    | 'membersInviteGuests'
    | 'agentSignup'
  isForOwners?: boolean
  /** Whether the server, or another organization, decides it. */
  isElsewhere?: boolean
}) {
  const { role } = useMembership()
  const change = useSettingsChange()
  const mayChange = !isElsewhere && (!isForOwners || role === 'owner')
  return (
    <Card title={t.title}>
      {mayChange ? (
        <SavedSwitch
          label={t.label}
          about={t.hint}
          isOn={settings[setting]}
          onChange={async (isOn) => {
            await change({ [setting]: isOn })
            showToast({ text: isOn ? t.turnedOn : t.turnedOff })
          }}
        />
      ) : (
        <Stack tight>
          <p>{settings[setting] ? t.on : t.off}</p>
          <Quiet>{t.others}</Quiet>
        </Stack>
      )}
    </Card>
  )
}
