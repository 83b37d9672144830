import { classes } from '../../kit/classes.ts'
import styles from './method.module.css'

const LOOKS: Record<string, string | undefined> = {
  GET: styles.get,
  POST: styles.post,
  PUT: styles.put,
  PATCH: styles.put,
  DELETE: styles.delete,
}
const SHORT: Record<string, string> = { DELETE: 'DEL' }

export function Method({ method, isSmall = false }: { method: string; isSmall?: boolean }) {
  return (
    <span className={classes(styles.method, LOOKS[method], isSmall && styles.small)}>
      {isSmall ? (SHORT[method] ?? method) : method}
    </span>
  )
}
