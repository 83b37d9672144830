import { hueOf } from '../../../../kit/face.tsx'
import styles from './attachments.module.css'

/** The extension of a file name: up to four letters after the last dot. */
export const extensionOf = (name: string): string =>
  /\.([a-z0-9]{1,4})$/i.exec(name)?.[1]?.toUpperCase() ?? ''

/** A sheet with the kind of a file on it, in a tint of that kind. */
export function FileBadge({ name }: { name: string }) {
  const extension = extensionOf(name)
  return (
    <span className={styles.badge} style={{ ['--hue' as string]: hueOf(extension) }} aria-hidden>
      {extension}
    </span>
  )
}
