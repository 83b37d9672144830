import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { Button } from '../../../kit/button.tsx'
import { classes } from '../../../kit/classes.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { ConversationPlace, LocationDraft } from '../../model.ts'
import { useChatActions } from '../../store/context.tsx'
import styles from './makers.module.css'

const POSITION_TIMEOUT_MS = 15_000
/** About a metre. */
const DECIMALS = 5

/** "53.5413, 9.9841", also with a semicolon or spaces between, and with signs. */
export function coordinatesIn(text: string): { latitude: number; longitude: number } | undefined {
  const parts = /^\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*[,;\s]\s*([+-]?\d{1,3}(?:\.\d+)?)°?\s*$/.exec(text)
  const [latitude, longitude] = [Number(parts?.[1]), Number(parts?.[2])]
  if (!parts || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined
  return { latitude, longitude }
}

type Looking = 'no' | 'yes' | 'refused' | 'unknown' | 'slow' | 'impossible'
/** Codes of `GeolocationPositionError`. */
const REFUSALS: Record<number, Looking> = { 1: 'refused', 2: 'unknown', 3: 'slow' }

export default function MakeLocation({
  place,
  from,
  onClose,
}: {
  place: ConversationPlace
  from: LocationDraft | undefined
  onClose: () => void
}) {
  const t = useTexts(makerTexts).place
  const actions = useChatActions()
  const [written, setWritten] = useState(from ? `${from.latitude}, ${from.longitude}` : '')
  const [name, setName] = useState(from?.name ?? '')
  const [address, setAddress] = useState(from?.address ?? '')
  const [looking, setLooking] = useState<Looking>('no')
  const [wasSent, setSent] = useState(false)
  const coordinates = coordinatesIn(written)
  const look = () => {
    if (!window.isSecureContext || !('geolocation' in navigator)) {
      setLooking('impossible')
      return
    }
    setLooking('yes')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLooking('no')
        setWritten(`${coords.latitude.toFixed(DECIMALS)}, ${coords.longitude.toFixed(DECIMALS)}`)
      },
      ({ code }) => setLooking(REFUSALS[code] ?? 'unknown'),
      { timeout: POSITION_TIMEOUT_MS, enableHighAccuracy: true },
    )
  }
  const send = () => {
    setSent(true)
    if (!coordinates) return
    const words = {
      ...(name.trim() !== '' && { name: name.trim() }),
      ...(address.trim() !== '' && { address: address.trim() }),
    }
    actions.sendCard(place, { kind: 'location', location: { ...coordinates, ...words } })
    onClose()
  }
  const isBad = looking !== 'no' && looking !== 'yes'
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogForm onSubmit={send}>
        <DialogBody>
          <div className={styles.position}>
            <Button icon={LocateFixed} busy={looking === 'yes'} onClick={look}>
              {t.mine}
            </Button>
            <p role="status" className={classes(isBad && styles.bad)}>
              {looking === 'no' ? '' : looking === 'yes' ? t.looking : t[looking]}
            </p>
          </div>
          <Field
            label={t.coordinates}
            hint={t.coordinatesHint}
            mistake={wasSent && !coordinates ? t.coordinatesWrong : undefined}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                autoFocus
                dir="ltr"
                inputMode="text"
                value={written}
                onChange={({ target }) => setWritten(target.value)}
              />
            )}
          </Field>
          <Field label={t.name}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={name}
                maxLength={LIMITS.locationName}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
          <Field label={t.address}>
            {(wiring) => (
              <TextInput
                {...wiring}
                value={address}
                maxLength={LIMITS.locationAddress}
                onChange={({ target }) => setAddress(target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogActions action={t.act} />
      </DialogForm>
    </Dialog>
  )
}
