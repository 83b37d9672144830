import { Dialog, DialogBody } from '../../../kit/dialog.tsx'
import { makerTexts } from '../../../texts/chat-makers.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import type { MakeRequest } from '../seam.ts'
import MakeContact from './make-contact.tsx'
import MakeLocation from './make-location.tsx'
import MakePoll from './make-poll.tsx'
import MakeTask from './make-task.tsx'

/** The window in which something else than a text is made. */
export default function Maker({ request, onClose }: { request: MakeRequest; onClose: () => void }) {
  const t = useTexts(makerTexts)
  const mayWrite = useChat(({ topics }) => topics.get(request.place.topicId)?.mayWrite === true)
  const mayChange = useChat(({ topics }) => topics.get(request.place.topicId)?.isMember === true)
  // The person may have been removed, or the topic archived, while the dialog was open.
  if (request.task ? !mayChange : !mayWrite) {
    return (
      <Dialog title={t.gone.title} size="small" onClose={onClose}>
        <DialogBody>
          <p role="alert">{t.gone.text}</p>
        </DialogBody>
      </Dialog>
    )
  }
  return <Form request={request} onClose={onClose} />
}

function Form({ request, onClose }: { request: MakeRequest; onClose: () => void }) {
  const { kind, place, from } = request
  switch (kind) {
    case 'poll':
      return <MakePoll place={place} from={from?.kind === 'poll' ? from.poll : undefined} onClose={onClose} />
    case 'task':
      return (
        <MakeTask
          place={place}
          from={from?.kind === 'task' ? from.task : undefined}
          message={request.message}
          task={request.task}
          onClose={onClose}
        />
      )
    case 'location':
      return (
        <MakeLocation
          place={place}
          from={from?.kind === 'location' ? from.location : undefined}
          onClose={onClose}
        />
      )
    case 'contact':
      return (
        <MakeContact
          place={place}
          from={from?.kind === 'contact' ? from.contact : undefined}
          onClose={onClose}
        />
      )
  }
}
