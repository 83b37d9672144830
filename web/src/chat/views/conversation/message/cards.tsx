import { Suspense } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import { lazyView } from '../../../../api/connection.ts'
import { Skeleton } from '../../../../kit/skeleton.tsx'
import { useChat } from '../../../store/context.tsx'

const CardView = lazyView(() => import('./card-view.tsx'))
const Forwarded = lazyView(() => import('../../forward/forwarded.tsx'))
const LinkPreview = lazyView(() => import('../../link-preview/link-preview.tsx'))
const Line = lazyView(() => import('./system-line.tsx'))

const isCard = ({ task, poll, location, contact, actions }: Message): boolean =>
  actions !== undefined ||
  task !== undefined ||
  poll !== undefined ||
  location !== undefined ||
  contact !== undefined

/** The parts of a message besides its text. Its code is loaded with the first card that is shown. */
export function Cards({ message }: { message: Message }) {
  const hasNote = useChat(({ notes }) => (notes.get(message.id)?.text ?? '') !== '')
  if (!isCard(message) && !hasNote) return null
  return (
    <Suspense fallback={<Skeleton shape="block" />}>
      <CardView message={message} />
    </Suspense>
  )
}

/** The preview of a message's link. It comes after the message: nothing stands in its place until then. */
export function PreviewPart({ message }: { message: Message }) {
  return (
    message.preview && (
      <Suspense>
        <LinkPreview message={message} preview={message.preview} />
      </Suspense>
    )
  )
}

/** The message that is forwarded, above the text that came with it. */
export function ForwardedPart({ message: { forwarded } }: { message: Message }) {
  return (
    forwarded && (
      <Suspense fallback={<Skeleton />}>
        <Forwarded forwarded={forwarded} />
      </Suspense>
    )
  )
}

/** Whether a message is a system event: one line, without a face. */
export const isLine = ({ isSystem, task, call }: Pick<Message, 'isSystem' | 'task' | 'call'>): boolean =>
  call !== undefined || (isSystem && task?.action !== 'Added')

export function SystemLine({ message }: { message: Message }) {
  return (
    <Suspense fallback={<Skeleton />}>
      <Line message={message} />
    </Suspense>
  )
}
