import {
  AtSign,
  Bold,
  Camera,
  ChartColumn,
  CircleCheck,
  Code,
  Contact,
  Italic,
  Link,
  List,
  MapPin,
  Mic,
  Paperclip,
  Plus,
  Smile,
} from 'lucide-react'
import { type ChangeEvent, lazy, type ReactNode, Suspense, useRef } from 'react'
import { IconButton } from '../../../../kit/button.tsx'
import type { LucideIcon } from '../../../../kit/icon.tsx'
import { CTRL } from '../../../../kit/keys.tsx'
import { Menu } from '../../../../kit/menu.tsx'
import { Popover } from '../../../../kit/popover.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { ConversationPlace } from '../../../model.ts'
import { type MakeRequest, useShell } from '../../seam.ts'
import styles from './composer.module.css'
import type { WritingHandle } from './writing-field.tsx'

const EmojiPicker = lazy(() => import('../emoji/picker.tsx'))

/** The buttons below the field; `children` stand at their end. */
export function ComposerBar({
  field,
  onFiles,
  onRecord,
  place,
  children,
}: {
  field: { current: WritingHandle | null }
  onFiles: (files: readonly File[]) => void
  onRecord: () => void
  place: ConversationPlace
  children: ReactNode
}) {
  const t = useTexts(composerTexts)
  const input = useRef<HTMLInputElement>(null)
  const isThread = place.threadId !== undefined
  const camera = useRef<HTMLInputElement>(null)
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    onFiles([...(target.files ?? [])])
    target.value = ''
  }
  return (
    <div className={styles.bar}>
      <input ref={input} type="file" multiple hidden onChange={onChange} />
      <input ref={camera} type="file" accept="image/*" capture="environment" hidden onChange={onChange} />
      <IconButton label={t.attach} icon={Paperclip} size="small" onClick={() => input.current?.click()} />
      <span className={styles.last}>
        <IconButton label={t.record} icon={Mic} size="small" onClick={onRecord} />
      </span>
      <span className={styles.first}>
        <MakeMenu
          place={place}
          onCamera={() => camera.current?.click()}
          onAttach={() => input.current?.click()}
        />
      </span>
      {!isThread && (
        <fieldset className={styles.formatting} aria-label={t.formatting}>
          <span className={styles.line} />
          <IconButton
            label={t.bold}
            keys={`${CTRL} B`}
            icon={Bold}
            size="small"
            onClick={() => field.current?.bold()}
          />
          <IconButton
            label={t.italic}
            keys={`${CTRL} I`}
            icon={Italic}
            size="small"
            onClick={() => field.current?.italic()}
          />
          <IconButton
            label={t.code}
            keys={`${CTRL} E`}
            icon={Code}
            size="small"
            onClick={() => field.current?.code()}
          />
          <IconButton label={t.link} icon={Link} size="small" onClick={() => field.current?.link()} />
          <IconButton label={t.list} icon={List} size="small" onClick={() => field.current?.list()} />
          <span className={styles.line} />
        </fieldset>
      )}
      <Popover
        label={t.emoji}
        side="top"
        trigger={(props) => <IconButton {...props} label={t.emoji} icon={Smile} size="small" />}
      >
        {(close) => (
          <Suspense>
            <EmojiPicker
              onPick={(emoji) => {
                close()
                field.current?.insert(emoji)
              }}
            />
          </Suspense>
        )}
      </Popover>
      <IconButton label={t.mention} icon={AtSign} size="small" onClick={() => field.current?.insert('@')} />
      {children}
    </div>
  )
}

/** Phones and tablets: elsewhere browsers show a list of files for it. */
const hasCamera = (): boolean => window.matchMedia('(pointer: coarse)').matches

/** The menu of polls, tasks and other cards to send. Polls and tasks belong to the topic: in a thread they are not offered. */
function MakeMenu({
  place,
  onCamera,
  onAttach,
}: {
  place: ConversationPlace
  onCamera: () => void
  onAttach: () => void
}) {
  const t = useTexts(composerTexts)
  const { make } = useShell()
  const entry = (kind: MakeRequest['kind'], label: string, icon: LucideIcon) => ({
    label,
    icon,
    // The menu closes first, and gives the focus back.
    onSelect: () => void window.setTimeout(() => make({ kind, place })),
  })
  const ofTopic = [entry('poll', t.makePoll, ChartColumn), entry('task', t.makeTask, CircleCheck)]
  return (
    <Menu
      label={t.make}
      side="top"
      entries={() => [
        ...(hasCamera()
          ? [
              { label: t.camera, icon: Camera, onSelect: onCamera },
              { label: t.attach, icon: Paperclip, onSelect: onAttach },
            ]
          : []),
        ...(place.threadId === undefined ? ofTopic : []),
        entry('location', t.makeLocation, MapPin),
        entry('contact', t.makeContact, Contact),
      ]}
      trigger={(props) => <IconButton {...props} label={t.make} icon={Plus} size="small" />}
    />
  )
}
