import { Toast } from '@base-ui/react/toast'
import { X } from 'lucide-react'
import { useEffect } from 'react'
import { kit } from '../texts/kit.ts'
import { useTexts } from '../texts/texts.ts'
import { classes } from './classes.ts'
import { Icon } from './icon.tsx'
import { Words } from './name.tsx'
import styles from './toast.module.css'
import { subscribeToToasts, type ToastOrder, takeToasts } from './toast.tsx'

const SHOWN_MS = 6000

const manager = Toast.createToastManager<ToastOrder>()

export default function ToastList() {
  useEffect(() => {
    const add = () => {
      for (const order of takeToasts()) {
        // A high priority would hide the toast from screen readers, while Tab would still reach its buttons.
        manager.add({ title: order.text, data: order, timeout: SHOWN_MS })
      }
    }
    add()
    return subscribeToToasts(add)
  }, [])
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <Shown />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function Shown() {
  const t = useTexts(kit)
  const { toasts, close } = Toast.useToastManager<ToastOrder>()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      data-toast
      className={classes(styles.toast, toast.data?.tone === 'bad' && styles.bad)}
    >
      <Toast.Title
        className={styles.text}
        render={<p role={toast.data?.tone === 'bad' ? 'alert' : undefined} />}
      >
        <Words text={toast.data?.text ?? ''} />
      </Toast.Title>
      {toast.data?.action && (
        <Toast.Action
          className={styles.action}
          onClick={() => {
            toast.data?.action?.onAct()
            close(toast.id)
          }}
        >
          {toast.data.action.label}
        </Toast.Action>
      )}
      {/* Its default hides it from screen readers until it has the focus, which a key can give it all the same. */}
      <Toast.Close className={styles.close} aria-label={t.dismiss} aria-hidden={false}>
        <Icon icon={X} size={16} />
      </Toast.Close>
    </Toast.Root>
  ))
}
