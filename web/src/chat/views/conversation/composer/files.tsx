import { X } from 'lucide-react'
import { useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { showToast } from '../../../../kit/toast.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useBytes } from '../../../../ui/number.ts'
import type { OutgoingFile } from '../../../model.ts'
import { Preview } from '../message/outgoing.tsx'
import styles from './files.module.css'

/** Files that wait to be sent with what is written. */
export function useFiles() {
  const t = useTexts(composerTexts)
  const [files, setFiles] = useState<readonly OutgoingFile[]>([])
  const add = (chosen: readonly File[]) => {
    const empty = chosen.find((file) => file.size === 0)
    if (empty) showToast({ text: t.emptyFile(empty.name), tone: 'bad' })
    const fresh = chosen
      .filter((file) => file.size > 0)
      .map((file) => ({ name: file.name, size: file.size, type: file.type, blob: file }))
    if (files.length + fresh.length > LIMITS.filesPerMessage)
      showToast({ text: t.tooMany(LIMITS.filesPerMessage), tone: 'bad' })
    setFiles([...files, ...fresh].slice(0, LIMITS.filesPerMessage))
  }
  return { files, add, set: setFiles }
}

export function FileList({
  files,
  onRemove,
}: {
  files: readonly OutgoingFile[]
  onRemove: (index: number) => void
}) {
  const t = useTexts(composerTexts)
  const bytes = useBytes()
  return (
    <ul className={styles.files} aria-label={t.files}>
      {files.map((file, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files can be the same
        <li key={index} className={styles.file}>
          <Preview file={file} />
          <span className={styles.words}>
            <bdi className={styles.name}>{file.name}</bdi>
            <span className={styles.size}>{bytes(file.size)}</span>
          </span>
          <IconButton label={t.removeFile(file.name)} icon={X} size="tiny" onClick={() => onRemove(index)} />
        </li>
      ))}
    </ul>
  )
}
