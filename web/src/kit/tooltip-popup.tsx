import { Tooltip } from '@base-ui/react/tooltip'
import { Keys } from './keys.tsx'
import styles from './tooltip.module.css'
import type { Tip } from './tooltip.tsx'

export default function TooltipPopup({ tip }: { tip: Tip }) {
  return (
    <Tooltip.Root open>
      <Tooltip.Portal>
        <Tooltip.Positioner anchor={tip.anchor} sideOffset={6} className={styles.positioner}>
          {/* The label of what it belongs to says the same to a screen reader. */}
          <Tooltip.Popup className={styles.popup} aria-hidden>
            <bdi>{tip.text}</bdi>
            {tip.keys !== undefined && <Keys keys={tip.keys} />}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
