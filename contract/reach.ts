/**
 * The events that a bot gets in a topic, from everything to the least. A bot always gets its own commands and the
 * answers to its buttons.
 */
export const REACHES = ['everything', 'threads', 'mentions', 'commands'] as const
export type Reach = (typeof REACHES)[number]
