import { createContext, useContext } from 'react'
import type { DocsContent } from './content.ts'

export const DocsContext = createContext<DocsContent>({ guides: [], files: [], operations: [] })
export const useDocs = (): DocsContent => useContext(DocsContext)
