/** The chat's addresses. One view serves them all, so that changing topics mounts nothing again. */
export const CHAT_PATHS = /^\/[otm]\/.+/
export const topicPath = (topicId: string): string => `/t/${topicId}`
export const threadPath = (topicId: string, messageId: string): string => `/t/${topicId}/thread/${messageId}`
export const messageInTopicPath = (topicId: string, messageId: string): string =>
  `/t/${topicId}?m=${messageId}`
export const replyPath = (topicId: string, threadId: string, messageId: string): string =>
  `${threadPath(topicId, threadId)}?m=${messageId}`
/** The address that "Copy link" copies: it leads to the message wherever it is. */
export const permalinkOf = (messageId: string): string => `${window.location.origin}/m/${messageId}`
export const organizationPath = (organizationId: string): string => `/o/${organizationId}`
export const threadsPath = (organizationId: string): string => `/o/${organizationId}/threads`
export const mentionsPath = (organizationId: string): string => `/o/${organizationId}/mentions`
export const tasksPath = (organizationId: string): string => `/o/${organizationId}/tasks`
/** The tasks of a topic, in its own order. */
export const topicTasksPath = (organizationId: string, topicId: string): string =>
  `${tasksPath(organizationId)}?topic=${topicId}&whose=everyone`
/** Sections of one's own settings. */
export const SETTINGS = ['profile', 'appearance', 'language', 'notifications', 'devices', 'security'] as const
export type SettingsSection = (typeof SETTINGS)[number]
/** The settings, or one section of them. */
export const settingsPath = (organizationId: string, section?: SettingsSection): string =>
  `/o/${organizationId}/settings${section === undefined ? '' : `/${section}`}`
/** The search inside one topic. */
export const topicSearchPath = (organizationId: string, topicId: string): string =>
  `/o/${organizationId}/search?topic=${topicId}`
/** The search of an organization's chat, and what is searched for. */
export const searchPath = (organizationId: string, text = ''): string =>
  `/o/${organizationId}/search${text === '' ? '' : `?${new URLSearchParams({ q: text })}`}`
export const draftsPath = (organizationId: string): string => `/o/${organizationId}/drafts`
export const savedPath = (organizationId: string): string => `/o/${organizationId}/saved`
/** Scheduled messages stand beside drafts. */
export const scheduledPath = (organizationId: string): string =>
  `${draftsPath(organizationId)}?show=scheduled`
