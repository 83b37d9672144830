import { useCallback, useEffect, useRef, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type {
  readNotificationSettings,
  NotificationSettings as Settings,
  updateNotificationSettings,
} from '../../../../../contract/people/notifications.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Checkbox, Switch } from '../../../kit/choice.tsx'
import { Field, Select, TextInput } from '../../../kit/field.tsx'
import { FieldGroup } from '../../../kit/layout.tsx'
import { ErrorNotice } from '../../../kit/notice.tsx'
import { SkeletonRows } from '../../../kit/skeleton.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { readerLocale } from '../../../texts/language.ts'
import { notifications } from '../../../texts/notifications.ts'
import { useTexts } from '../../../texts/texts.ts'
import { type BrowserState, readBrowserState, switchOff, switchOn } from '../../attention/browser.ts'
import { useSound } from '../../attention/sound.ts'
import { useAttempt, useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import styles from './notification-settings.module.css'
import { TopicsThatDiffer } from './topics-that-differ.tsx'

type Change = Partial<Omit<Settings, 'pushKey'>>
type Part = { settings: Settings; change: (change: Change) => Promise<void> }

const NIGHT = { from: '22:00', to: '07:00' }
const MAIL_AFTER = [0, 15, 60, 240, 1440] as const

/** How one wants to be notified: each choice counts at once. */
export default function NotificationSettings() {
  const api = useChatApi()
  const attempt = useAttempt()
  const hasMail = useSession().data?.mail === 'smtp'
  const [settings, setSettings] = useState<Settings>()
  const [failure, setFailure] = useState<unknown>()
  const read = useCallback(() => {
    setFailure(undefined)
    api<typeof readNotificationSettings>('GET', '/notifications', {}).then(setSettings, setFailure)
  }, [api])
  useEffect(read, [read])
  const save = async (body: Change) =>
    setSettings(await api<typeof updateNotificationSettings>('PATCH', '/notifications', { body }))
  // Shown at once, and told one after the other: two boxes can be ticked faster than the server answers.
  const told = useRef(Promise.resolve())
  const change = (body: Change): Promise<void> => {
    setSettings((now) => now && { ...now, ...body })
    const work = told.current.then(async () => {
      const isSaved = await attempt(() =>
        api<typeof updateNotificationSettings>('PATCH', '/notifications', { body }),
      )
      if (!isSaved) read()
    })
    told.current = work
    return work
  }
  if (failure !== undefined) return <ErrorNotice error={failure} onRetry={read} />
  if (settings === undefined) return <SkeletonRows />
  return (
    <div className={styles.settings}>
      <ThisBrowser pushKey={settings.pushKey} />
      <Keywords settings={settings} change={save} />
      <TopicsThatDiffer />
      <Quiet settings={settings} change={change} />
      {hasMail && <Mail settings={settings} change={change} />}
    </div>
  )
}

function ThisBrowser({ pushKey }: Pick<Settings, 'pushKey'>) {
  const t = useTexts(notifications).browser
  const attempt = useAttempt()
  const [state, setState] = useState<BrowserState>()
  const [hasSound, setSound] = useSound()
  useEffect(() => void readBrowserState().then(setState), [])
  if (state === undefined) return null
  return (
    <FieldGroup legend={t.legend}>
      <Switch
        label={t.label}
        about={t.states[state]}
        isOn={state === 'page' || state === 'always'}
        disabled={state === 'unsupported' || state === 'denied'}
        onChange={(isOn) =>
          void attempt(async () => setState(await (isOn ? switchOn(pushKey) : switchOff())))
        }
      />
      <Switch label={t.sound.label} about={t.sound.about} isOn={hasSound} onChange={setSound} />
    </FieldGroup>
  )
}

function Keywords({ settings, change }: Part) {
  const t = useTexts(notifications).what
  const { busy, failure, submit } = useSubmit()
  const [text, setText] = useState(settings.keywords.join(', '))
  const keywords = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  const save = async () => {
    if (await submit(() => change({ keywords }))) showToast({ text: t.saved })
  }
  return (
    <FieldGroup legend={t.legend} hint={t.hint}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <Field label={t.keywords} hint={t.keywordsHint} mistake={failure}>
          {(wiring) => (
            <TextInput
              {...wiring}
              value={text}
              placeholder={t.keywordsPlaceholder}
              maxLength={LIMITS.keywords * (LIMITS.keyword + 2)}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        {keywords.join() !== settings.keywords.join() && (
          <Button look="primary" submit busy={busy}>
            {t.save}
          </Button>
        )}
      </form>
    </FieldGroup>
  )
}

function Quiet({ settings: { quietHours, quietDays, timeZone, notWhileActive }, change }: Part) {
  const t = useTexts(notifications).when
  const zones = Intl.supportedValuesOf('timeZone')
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <FieldGroup legend={t.legend}>
      <Switch
        label={t.notWhileActive.label}
        about={t.notWhileActive.about}
        isOn={notWhileActive}
        onChange={(isOn) => void change({ notWhileActive: isOn })}
      />
      <Switch
        label={t.quiet.label}
        about={t.quiet.about}
        isOn={quietHours !== null}
        onChange={(isOn) =>
          void change(isOn ? { quietHours: NIGHT, timeZone: ownZone } : { quietHours: null })
        }
      />
      {quietHours && (
        <div className={styles.times}>
          <TimeField
            label={t.from}
            value={quietHours.from}
            onChange={(from) => change({ quietHours: { ...quietHours, from } })}
          />
          <TimeField
            label={t.to}
            value={quietHours.to}
            onChange={(to) => change({ quietHours: { ...quietHours, to } })}
          />
        </div>
      )}
      <Days quietDays={quietDays} onChange={(days) => void change({ quietDays: days, timeZone: ownZone })} />
      {(quietHours !== null || quietDays.length > 0) && (
        <div className={styles.times}>
          <Field label={t.timeZone}>
            {(wiring) => (
              <Select
                {...wiring}
                value={timeZone}
                onChange={(event) => void change({ timeZone: event.target.value })}
              >
                {!zones.includes(timeZone) && <option>{timeZone}</option>}
                {zones.map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </Select>
            )}
          </Field>
        </div>
      )}
    </FieldGroup>
  )
}

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const

/** The days of the week, those with notifications ticked. */
function Days({ quietDays, onChange }: { quietDays: readonly number[]; onChange: (days: number[]) => void }) {
  const t = useTexts(notifications).when.days
  const names = new Intl.DateTimeFormat(readerLocale(), { weekday: 'long', timeZone: 'UTC' })
  return (
    <FieldGroup legend={t.label} hint={t.about}>
      <div className={styles.days}>
        {WEEK.map((day) => (
          <Checkbox
            key={day}
            label={names.format(Date.UTC(2024, 0, day))} // a year that begins on a Monday
            isOn={!quietDays.includes(day)}
            onChange={(isOn) =>
              onChange(WEEK.filter((one) => (one === day ? !isOn : quietDays.includes(one))))
            }
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** Saves on blur; typing passes through many intermediate times. */
function TimeField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (time: string) => Promise<void>
}) {
  const [time, setTime] = useState(value)
  const save = async () => {
    if (time === '' || time === value) setTime(value)
    else await onChange(time)
  }
  return (
    <Field label={label}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type="time"
          value={time}
          onChange={(event) => setTime(event.target.value)}
          onBlur={() => void save()}
        />
      )}
    </Field>
  )
}

function Mail({ settings: { mailAfterMinutes }, change }: Part) {
  const t = useTexts(notifications).mail
  return (
    <FieldGroup legend={t.legend}>
      <Field label={t.label}>
        {(wiring) => (
          <Select
            {...wiring}
            value={mailAfterMinutes}
            onChange={({ target }) => {
              const chosen = MAIL_AFTER.find((minutes) => String(minutes) === target.value)
              if (chosen !== undefined) void change({ mailAfterMinutes: chosen })
            }}
          >
            {MAIL_AFTER.map((minutes) => (
              <option key={minutes} value={minutes}>
                {t.after[minutes]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FieldGroup>
  )
}
