/** Whether a profile id is that of a bot; people have a bare UUID. */
export const isBotId = (profileId: string): boolean => profileId.startsWith('b@')
