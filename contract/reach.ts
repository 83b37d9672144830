/** Levels of what a bot hears in a topic, from everything to the least. A bot always hears its own commands and the answers to its buttons. */
export const REACHES = ['everything', 'threads', 'mentions', 'commands'] as const
export type Reach = (typeof REACHES)[number]
