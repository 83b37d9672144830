/** What a bot hears of a topic, from everything to the least. What is for it alone (commands, answers to its buttons) it always hears. */
export const REACHES = ['everything', 'threads', 'mentions', 'commands'] as const
export type Reach = (typeof REACHES)[number]
