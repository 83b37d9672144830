import { createContext, useContext } from 'react'
import type { MakeRequest } from '../seam.ts'

/** A dialog over the shell; one at a time. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'keys' }
  | { kind: 'status'; text?: string }
  | { kind: 'remind'; messageId: string }
  | { kind: 'emoji' }
  | { kind: 'groups'; groupId?: string | undefined }
  | { kind: 'create-topic'; name?: string | undefined }
  | { kind: 'browse-topics' }
  | { kind: 'direct-message'; memberIds?: readonly string[] }
  | { kind: 'add-members'; topicId: string }
  | { kind: 'invite-guest'; topicId: string }
  | { kind: 'leave-topic'; topicId: string }
  | { kind: 'move-topic'; topicId: string }
  /** Makes a section, into which a conversation moves where one is named, or renames one. */
  | { kind: 'section'; sectionId?: string; topicId?: string }
  | { kind: 'make'; request: MakeRequest }

export const OverlayContext = createContext<(overlay: Overlay | undefined) => void>(() => {})

/** Opens an overlay over the shell and closes the present one. */
export const useOverlay = () => useContext(OverlayContext)
