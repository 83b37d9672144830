import { Suspense } from 'react'
import { lazyView } from '../../../../api/connection.ts'
import { messagesPainted } from '../../../first-sight.ts'
import type { ComposerProps } from './composer.tsx'
import styles from './late-composer.module.css'

// Refusal texts load beside the composer, since readers may still search and press buttons; without them refusals are in English.
messagesPainted.then(() => import('../../../../texts/late-errors.ts')).catch(() => {})
const Composer = lazyView(() => messagesPainted.then(() => import('./composer.tsx')))

/** The composer, which is loaded when the first messages are shown. */
export const LateComposer = (props: ComposerProps) => (
  <Suspense fallback={<div className={styles.waiting} />}>
    <Composer {...props} />
  </Suspense>
)
