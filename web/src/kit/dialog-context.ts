import { createContext } from 'react'

/** The window that one is in. */
export const DialogContext = createContext({ busy: false, onClose: () => {} })
