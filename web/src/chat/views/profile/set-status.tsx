import { SmilePlus, X } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { updateOwnProfile } from '../../../../../contract/people/profiles.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Beside, Field, SelectField, TextInput } from '../../../kit/field.tsx'
import { Popover } from '../../../kit/popover.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { presenceTexts } from '../../../texts/presence.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { useSubmit } from '../frame/attempt.ts'
import { useChatApi } from '../frame/pages.ts'
import { timesAfter, useMoment } from '../scheduling/times.ts'

const EmojiPicker = lazy(() => import('../conversation/emoji/picker.tsx'))

const ENDS = ['never', 'halfHour', 'hour', 'hours', 'today', 'week', 'same'] as const
type End = (typeof ENDS)[number]
const SHOWN_AS = ['active', 'away', 'dnd'] as const
type ShownAs = (typeof SHOWN_AS)[number]

const MINUTE_MS = 60_000

/** When that is, by the reader's clock and calendar. */
function timeOf(end: End, same: number | undefined, now = new Date()): number | null {
  switch (end) {
    case 'never':
      return null
    case 'halfHour':
      return now.getTime() + 30 * MINUTE_MS
    case 'hour':
      return now.getTime() + 60 * MINUTE_MS
    case 'hours':
      return now.getTime() + 240 * MINUTE_MS
    case 'today':
      return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).getTime()
    case 'week':
      return timesAfter(now).monday
    case 'same':
      return same ?? null
  }
}

/** Sets one's status, its end, and whether one may be disturbed. */
export default function SetStatus({ text: begun, onClose }: { text?: string; onClose: () => void }) {
  const t = useTexts(presenceTexts)
  const api = useChatApi()
  const moment = useMoment()
  const me = useChat((state) => state.me)
  const { busy, failure, submit } = useSubmit()
  const [emoji, setEmoji] = useState(me?.statusEmoji ?? '')
  const [text, setText] = useState(begun || (me?.statusText ?? ''))
  const [end, setEnd] = useState<End>(me?.statusUntil === undefined ? 'never' : 'same')
  const [shownAs, setShownAs] = useState<ShownAs>(
    me?.dndUntil !== undefined ? 'dnd' : me?.appearsAway ? 'away' : 'active',
  )
  const [silence, setSilence] = useState<End>(me?.dndUntil === undefined ? 'hour' : 'same')
  if (!me) return null
  const names = (same: number | undefined, options: readonly End[]) =>
    options
      .filter((one) => one !== 'same' || same !== undefined)
      .map((one) => [one, one === 'same' ? t.end.same(moment(same ?? 0)) : t.end[one]] as const)
  const save = async (isCleared = false) => {
    const status = isCleared
      ? { statusText: '', statusEmoji: '' }
      : { statusText: text.trim(), statusEmoji: emoji, statusUntil: timeOf(end, me.statusUntil) }
    const body = {
      ...status,
      dndUntil: shownAs === 'dnd' ? timeOf(silence, me.dndUntil) : null,
      appearsAway: shownAs === 'away',
    }
    if (!(await submit(() => api<typeof updateOwnProfile>('PATCH', '/me', { body })))) return
    showToast({ text: t.saved })
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose} busy={busy}>
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          <Field label={t.text} hint={t.hint} mistake={failure}>
            {(wiring) => (
              <Beside>
                <Popover
                  label={t.chooseEmoji}
                  trigger={(props) =>
                    emoji === '' ? (
                      <IconButton {...props} label={t.chooseEmoji} icon={SmilePlus} />
                    ) : (
                      <Button {...props} look="quiet" aria-label={`${t.emoji}: ${emoji}`}>
                        {emoji}
                      </Button>
                    )
                  }
                >
                  {(close) => (
                    <Suspense>
                      <EmojiPicker
                        hasCustom={false}
                        onPick={(picked) => {
                          close()
                          setEmoji(picked)
                        }}
                      />
                    </Suspense>
                  )}
                </Popover>
                <TextInput
                  {...wiring}
                  value={text}
                  placeholder={t.placeholder}
                  maxLength={LIMITS.profileLine}
                  onChange={(event) => setText(event.target.value)}
                />
                {emoji !== '' && <IconButton label={t.noEmoji} icon={X} onClick={() => setEmoji('')} />}
              </Beside>
            )}
          </Field>
          <SelectField label={t.ends} options={names(me.statusUntil, ENDS)} value={end} onChange={setEnd} />
          <SelectField
            label={t.shownAs}
            options={SHOWN_AS.map((one) => [one, t[one]] as const)}
            value={shownAs}
            onChange={setShownAs}
          />
          {shownAs === 'dnd' && (
            <SelectField
              label={t.silence}
              options={names(
                me.dndUntil,
                ENDS.filter((one) => one !== 'never'),
              )}
              value={silence}
              onChange={setSilence}
            />
          )}
          {shownAs === 'dnd' && <p>{t.dndHint}</p>}
          {(me.statusText !== undefined || me.statusEmoji !== undefined) && (
            <Button look="link" onClick={() => void save(true)}>
              {t.clear}
            </Button>
          )}
        </DialogBody>
        <DialogActions action={t.save} />
      </DialogForm>
    </Dialog>
  )
}
