import { ImagePlus, Trash2 } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { refusalOf, unreachable } from '../../../api/chat.ts'
import { Button } from '../../../kit/button.tsx'
import { places } from '../../../texts/places.ts'
import { useTexts } from '../../../texts/texts.ts'
import styles from '../details/details.module.css'

/** Sends a picture as the form that the server takes for photos, covers and emoji. */
export async function sendPicture(url: string, file: File, metadata: object = {}): Promise<void> {
  const form = new FormData()
  form.append('metadata', JSON.stringify(metadata))
  form.append('filePart', file)
  const response = await fetch(url, { method: 'POST', body: form }).catch(unreachable)
  if (!response.ok) throw refusalOf(response.status, response.headers, await response.json().catch(() => ''))
}

export async function removePicture(url: string): Promise<void> {
  const response = await fetch(url, { method: 'DELETE' }).catch(unreachable)
  if (!response.ok) throw refusalOf(response.status, response.headers, await response.json().catch(() => ''))
}

/** The picture shown now, and buttons that change or remove it. */
export function PictureField({
  label,
  shown,
  hasPicture,
  onChoose,
  onRemove,
}: {
  label: string
  shown: ReactNode
  hasPicture: boolean
  onChoose: (file: File) => void
  onRemove: () => void
}) {
  const t = useTexts(places)
  const input = useRef<HTMLInputElement>(null)
  return (
    <div>
      <p className={styles.caption}>{label}</p>
      <div className={styles.picture}>
        {shown}
        <Button icon={ImagePlus} onClick={() => input.current?.click()}>
          {t.setPicture}
        </Button>
        {hasPicture && (
          <Button look="quiet" icon={Trash2} onClick={onRemove}>
            {t.removePicture}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/jpeg,image/png"
          aria-label={label}
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0]
            if (file) onChoose(file)
            target.value = ''
          }}
        />
      </div>
      <p className={styles.about}>{t.pictureHint}</p>
    </div>
  )
}
