import { createContext, useContext } from 'react'

/** The address of a photo or a cover, by the id of its file; undefined outside of an organization. */
export const PicturesContext = createContext<((fileId: string) => string) | undefined>(undefined)

export function usePicture(fileId: string | null | undefined): string | undefined {
  const addressOf = useContext(PicturesContext)
  return fileId ? addressOf?.(fileId) : undefined
}
