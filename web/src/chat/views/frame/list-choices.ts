import { useState } from 'react'

export type SectionName = 'favourites' | 'topics' | 'direct'
export const TOPIC_ORDERS = ['name', 'recent'] as const
export type TopicOrder = (typeof TOPIC_ORDERS)[number]

/** How a person wants the list of conversations in this browser. */
type Choices = { collapsed: SectionName[]; order: TopicOrder; isUnreadFirst: boolean }

const PLAIN: Choices = { collapsed: [], order: 'name', isUnreadFirst: true }
const SECTIONS: readonly SectionName[] = ['favourites', 'topics', 'direct']
const nameOf = (organizationId: string): string => `parley.list.${organizationId}`

function read(organizationId: string): Choices {
  try {
    const kept = Object(JSON.parse(localStorage.getItem(nameOf(organizationId)) ?? '{}'))
    return {
      collapsed: SECTIONS.filter((name) => [kept.collapsed].flat().includes(name)),
      order: TOPIC_ORDERS.find((order) => order === kept.order) ?? PLAIN.order,
      isUnreadFirst: kept.isUnreadFirst !== false,
    }
  } catch {
    return PLAIN
  }
}

export function useListChoices(organizationId: string) {
  const [choices, setChoices] = useState(() => read(organizationId))
  const choose = (changes: Partial<Choices>): void => {
    const next = { ...choices, ...changes }
    setChoices(next)
    localStorage.setItem(nameOf(organizationId), JSON.stringify(next))
  }
  const isCollapsed = (name: SectionName): boolean => choices.collapsed.includes(name)
  return {
    ...choices,
    choose,
    isCollapsed,
    toggle: (name: SectionName): void =>
      choose({
        collapsed: isCollapsed(name)
          ? choices.collapsed.filter((one) => one !== name)
          : [...choices.collapsed, name],
      }),
  }
}
