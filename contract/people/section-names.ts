/** Sections that everybody has. A conversation in none of a person's own stands in one of the last three. */
export const BUILT_IN_SECTIONS = ['unread', 'favourites', 'topics', 'direct'] as const
export const SECTION_ORDERS = ['name', 'recent', 'hand'] as const
export type SectionOrder = (typeof SECTION_ORDERS)[number]
