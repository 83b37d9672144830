export const DETAILS_TABS = ['members', 'pins', 'files', 'tasks', 'polls', 'history', 'settings'] as const
/** A part of the details of a topic. */
export type DetailsTab = (typeof DETAILS_TABS)[number]
