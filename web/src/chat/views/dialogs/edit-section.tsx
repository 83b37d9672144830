import { useState } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { Dialog, DialogActions, DialogBody, DialogForm } from '../../../kit/dialog.tsx'
import { Field, TextInput } from '../../../kit/field.tsx'
import { sections as texts } from '../../../texts/sections.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { useSubmit } from '../frame/attempt.ts'

/** Makes a section, into which a conversation may move at once, or renames one. */
export default function EditSection({
  sectionId,
  topicId,
  onClose,
}: {
  sectionId?: string | undefined
  topicId?: string | undefined
  onClose: () => void
}) {
  const t = useTexts(texts)
  const actions = useChatActions()
  const { busy, failure, submit } = useSubmit()
  const before = useChat(({ sections }) => sections.find(({ id }) => id === sectionId)?.name)
  const [name, setName] = useState(before ?? '')
  const [wasSent, setSent] = useState(false)
  const save = async () => {
    setSent(true)
    const given = name.trim()
    if (given === '') return
    const done = await submit(async () => {
      if (sectionId !== undefined) return actions.updateSection(sectionId, { name: given })
      const { id } = await actions.createSection(given)
      if (topicId !== undefined) await actions.moveToSection(topicId, id)
    })
    if (done) onClose()
  }
  return (
    <Dialog title={sectionId === undefined ? t.create : t.rename} onClose={onClose} busy={busy} size="small">
      <DialogForm onSubmit={() => void save()}>
        <DialogBody>
          <Field
            label={t.name}
            end={`${[...name].length} / ${LIMITS.sectionName}`}
            mistake={wasSent && name.trim() === '' ? t.nameMissing : failure}
          >
            {(wiring) => (
              <TextInput
                {...wiring}
                autoFocus
                value={name}
                maxLength={LIMITS.sectionName}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        </DialogBody>
        <DialogActions action={sectionId === undefined ? t.createAction : t.renameAction} />
      </DialogForm>
    </Dialog>
  )
}
