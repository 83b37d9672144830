/** The code of a refusal, as `X-Error-Code` carries it: its text in small letters, with hyphens between words. */
export const errorCode = (text: string): string =>
  text
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

/** Answered with 403 to a bot that an admin has paused, whatever it asks for but its events. */
export const BOT_PAUSED = 'the bot is paused'

/** The 403 for bots in a topic where they only answered each other, and for a bot that would continue it elsewhere. */
export const BOTS_STOPPED = 'bots are stopped in this topic until a person writes there'
/** The 429 for a bot that would answer bots once more. */
export const BOTS_SLOWED = 'bots answer each other too often in this topic, wait'

/** The 429 for a bot that has used up its daily budget. */
export const BOT_BUDGET_SPENT = 'the budget of the bot for today is used up'

/** The 400 for a text with a word that the organization does not allow. */
export const WORD_BLOCKED = 'text has a word that this organization does not allow'

/** The 403 for writing in an archived topic. */
export const TOPIC_ARCHIVED = 'topic is archived'

/** The 403 for content that its reader is not part of: without a right of their own, and without a reading that is open. */
export const READING_NOT_ALLOWED = 'an owner must allow you to read content first'
export const READING_NEEDED = 'open a reading first, with a reason'
