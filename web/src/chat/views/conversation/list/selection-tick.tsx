import { BareCheckbox } from '../../../../kit/choice.tsx'
import { selectionTexts } from '../../../../texts/selection.ts'
import { useTexts } from '../../../../texts/texts.ts'
import styles from './selection.module.css'

/** The box beside a message while messages are selected. The list hears each press on a message, and so on its box. */
export default function SelectionTick({ isOn }: { isOn: boolean }) {
  const t = useTexts(selectionTexts)
  return (
    <span className={styles.tick}>
      <BareCheckbox label={t.select} isOn={isOn} onChange={() => {}} />
    </span>
  )
}
