import { Suspense } from 'react'
import { lazyView } from '../../../../api/connection.ts'
import type { ComposerProps } from './composer.tsx'
import styles from './late-composer.module.css'

// Refusal texts load beside the composer, since readers may still search and press buttons; without them refusals are in English.
import('../../../../texts/late-errors.ts').catch(() => {})
const Composer = lazyView(() => import('./composer.tsx'))

/** The composer, which is loaded while the first messages are already shown. */
export const LateComposer = (props: ComposerProps) => (
  <Suspense fallback={<div className={styles.waiting} />}>
    <Composer {...props} />
  </Suspense>
)
