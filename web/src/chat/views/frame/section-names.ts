import type { SidebarSection } from '../../../../../contract/people/chat-records.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'

/** The words above a section. */
export function useSectionName(): (section: Pick<SidebarSection, 'id' | 'name'>) => string {
  const t = useTexts(shell)
  return ({ id, name }) =>
    name ?? (id === 'favourites' ? t.favourites : id === 'direct' ? t.directMessages : t.topics)
}
