import { X } from 'lucide-react'
import { useContext, useState } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import { IconButton } from '../../../../kit/button.tsx'
import { named } from '../../../../kit/name.tsx'
import { useBytes } from '../../../../kit/number.ts'
import { showToast } from '../../../../kit/toast.tsx'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import type { fileTexts } from '../../../../texts/chat-files.ts'
import { type Language, LanguageContext, useTexts } from '../../../../texts/texts.ts'
import type { OutgoingFile } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { Preview } from '../message/outgoing.tsx'
import styles from './files.module.css'
import type { FileProblem } from './inspect.ts'

type Texts = (typeof fileTexts)[Language]

/** Files that wait to be sent with what is written. Files that cannot be sent are refused at once. */
export function useFiles() {
  const language = useContext(LanguageContext)
  const bytes = useBytes()
  const maxBytes = useChat((state) => state.organization?.maxFileBytes)
  const [files, setFiles] = useState<readonly OutgoingFile[]>([])
  const say = async (text: (t: Texts) => string) => {
    const { fileTexts } = await import('../../../../texts/chat-files.ts')
    showToast({ text: text(fileTexts[language]), tone: 'bad' })
  }
  const sayProblem = ({ name, size }: File, problem: FileProblem) =>
    say((t) =>
      problem === 'tooLarge'
        ? t.tooLarge(named(name), bytes(size), bytes(maxBytes ?? 0))
        : t[problem](named(name)),
    )
  /** Checks chosen files, which takes a moment. They are shown and can be sent before it ends. */
  const inspect = async (chosen: readonly File[]) => {
    const { problemOf } = await import('./inspect.ts')
    for (const file of chosen) {
      const problem = await problemOf(file)
      if (!problem) continue
      setFiles((now) => now.filter(({ blob }) => blob !== file))
      void sayProblem(file, problem)
    }
  }
  const add = (chosen: readonly File[]) => {
    const small = chosen.filter(({ size }) => maxBytes === undefined || size <= maxBytes)
    for (const file of chosen) if (!small.includes(file)) void sayProblem(file, 'tooLarge')
    const room = Math.max(0, LIMITS.filesPerMessage - files.length)
    if (small.length > room) void say((t) => t.tooMany(LIMITS.filesPerMessage))
    const taken = small.slice(0, room)
    setFiles([
      ...files,
      ...taken.map((file) => ({ name: file.name, size: file.size, type: file.type, blob: file })),
    ])
    void inspect(taken)
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
