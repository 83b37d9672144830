import { Dialog, DialogBody } from '../../../../kit/dialog.tsx'
import { voiceTexts } from '../../../../texts/chat-voice.ts'
import { useTexts } from '../../../../texts/texts.ts'

/** Tells admins how voice messages get their text. */
export default function EngineHelp({ onClose }: { onClose: () => void }) {
  const t = useTexts(voiceTexts)
  return (
    <Dialog title={t.engineTitle} onClose={onClose}>
      <DialogBody>
        <p>{t.engineAbout}</p>
        <ul>
          <li>{t.engineService}</li>
          <li>{t.engineCommand}</li>
          <li>{t.engineInstalled}</li>
        </ul>
        <p>{t.engineMore}</p>
      </DialogBody>
    </Dialog>
  )
}
