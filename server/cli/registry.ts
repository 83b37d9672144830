import type { Command } from './command.ts'

/** A command's code is loaded when it is called, and with it only what it needs. */
export type Entry = { name: string; summary: string; load(): Promise<Command> }

const organization = () => import('./commands/organization.ts')
const member = () => import('./commands/member.ts')
const bot = () => import('./commands/bot.ts')
const lists = () => import('./commands/lists.ts')
const deliveries = () => import('./commands/deliveries.ts')
const secretKey = () => import('./commands/secret-key.ts')
const botState = () => import('./commands/bot-state.ts')

export const COMMANDS: readonly Entry[] = [
  {
    name: 'start',
    summary: 'Run the server',
    load: async () => (await import('./commands/start.ts')).start,
  },
  {
    name: 'org create',
    summary: 'Create an organization and invite its first admin',
    load: async () => (await organization()).create,
  },
  {
    name: 'org list',
    summary: 'List the organizations of this server',
    load: async () => (await organization()).list,
  },
  {
    name: 'org remove',
    summary: 'Remove an organization with everything that it has',
    load: async () => (await import('./commands/organization-remove.ts')).remove,
  },
  {
    name: 'org set',
    summary: 'Change the settings of an organization',
    load: async () => (await organization()).set,
  },
  {
    name: 'org move',
    summary: 'Put an organization alone onto one of several machines',
    load: async () => (await import('./commands/organization-move.ts')).move,
  },
  {
    name: 'member add',
    summary: 'Add a person to an organization, and invite them',
    load: async () => (await member()).add,
  },
  {
    name: 'member list',
    summary: 'List the people of an organization',
    load: async () => (await lists()).members,
  },
  {
    name: 'member set',
    summary: 'Activate, archive or delete a person',
    load: async () => (await member()).set,
  },
  {
    name: 'member reset-second-factor',
    summary: 'Remove the second factor of a person who cannot give a code any more',
    load: async () => (await member()).resetSecondFactorOf,
  },
  {
    name: 'member vouch',
    summary: 'Say that the account of a person is theirs, where no mail can prove it',
    load: async () => (await member()).vouch,
  },
  {
    name: 'member export',
    summary: 'Write what an organization has of a person to a file',
    load: async () => (await member()).exportData,
  },
  {
    name: 'member erase',
    summary: 'Delete who a person was, and what they wrote if asked',
    load: async () => (await member()).erase,
  },
  {
    name: 'bot create',
    summary: 'Create a bot and show its credentials',
    load: async () => (await bot()).create,
  },
  {
    name: 'bot list',
    summary: 'List the bots of an organization',
    load: async () => (await lists()).bots,
  },
  {
    name: 'bot set',
    summary: 'Change the settings of a bot',
    load: async () => (await bot()).set,
  },
  {
    name: 'bot rotate-secret',
    summary: 'Replace the secret of a bot and show the new one',
    load: async () => (await botState()).rotate,
  },
  {
    name: 'bot addresses',
    summary: 'List the addresses of the webhook of a bot',
    load: async () => (await bot()).addresses,
  },
  {
    name: 'bot replace-key',
    summary: 'Replace the API key and the secret of a bot and show the new ones',
    load: async () => (await botState()).replace,
  },
  {
    name: 'bot delete',
    summary: 'Delete a bot for good; what it wrote stays',
    load: async () => (await botState()).remove,
  },
  {
    name: 'bot revoke-tokens',
    summary: 'Make all access tokens of a bot invalid',
    load: async () => (await botState()).revoke,
  },
  {
    name: 'bot deactivate',
    summary: 'Shut a bot out until it is activated again',
    load: async () => (await botState()).deactivate,
  },
  {
    name: 'bot activate',
    summary: 'Let a deactivated bot in again',
    load: async () => (await botState()).activate,
  },
  {
    name: 'bot rehearse',
    summary: 'Let a new version of a bot answer what happened, where nobody hears it',
    load: async () => (await import('./commands/rehearse.ts')).rehearse,
  },
  {
    name: 'bot pause',
    summary: 'Stop a bot until it is resumed; nothing is lost to it',
    load: async () => (await botState()).pause,
  },
  {
    name: 'bot resume',
    summary: 'Let a paused bot go on with what it missed',
    load: async () => (await botState()).resume,
  },
  {
    name: 'org-unit create',
    summary: 'Create a team or location',
    load: async () => (await import('./commands/org-unit.ts')).create,
  },
  {
    name: 'topic create',
    summary: 'Create a topic or a direct message, as one of its members',
    load: async () => (await import('./commands/topic.ts')).create,
  },
  {
    name: 'message send',
    summary: 'Send a message as a member',
    load: async () => (await import('./commands/message.ts')).send,
  },
  {
    name: 'poll close',
    summary: 'Let a poll take no more votes',
    load: async () => (await import('./commands/poll.ts')).close,
  },
  {
    name: 'mcp',
    summary: 'Connect an AI assistant to a server, as a bot, by standard input and output',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'agent',
    summary: 'Connect a coding agent that speaks the Agent Client Protocol, as a bot',
    load: async () => (await import('./commands/agent.ts')).agent,
  },
  {
    name: 'events tail',
    summary: 'Show the latest events of a bot, and follow them',
    load: async () => (await import('./commands/events.ts')).tail,
  },
  {
    name: 'deliveries list',
    summary: 'List the webhook deliveries of a bot',
    load: async () => (await deliveries()).list,
  },
  {
    name: 'deliveries show',
    summary: 'Show a delivery with every attempt',
    load: async () => (await deliveries()).show,
  },
  {
    name: 'deliveries replay',
    summary: 'Send a delivery again, or everything since a moment',
    load: async () => (await deliveries()).replay,
  },
  {
    name: 'deliveries resume',
    summary: 'Let a paused webhook go on',
    load: async () => (await deliveries()).resume,
  },
  {
    name: 'secret-key rotate',
    summary: 'Replace the secret key, and encrypt everything with the new one',
    load: async () => (await secretKey()).rotate,
  },
  {
    name: 'secret-key status',
    summary: 'Show which secret key is in use, and whether another is still needed',
    load: async () => (await secretKey()).status,
  },
  {
    name: 'backup',
    summary: 'Write everything into one file, while the server runs, and read it back',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Take a backup into a new data folder or an empty database',
    load: async () => (await import('./commands/backup.ts')).restore,
  },
  {
    name: 'export',
    summary: 'Write what an organization has into one file: JSON Lines and its files',
    load: async () => (await import('./commands/export.ts')).exportCommand,
  },
  {
    name: 'import parley',
    summary: 'Take in an organization that another server exported',
    load: async () => (await import('./commands/import.ts')).parley,
  },
  {
    name: 'import slack',
    summary: 'Take the export of a Slack workspace into an organization',
    load: async () => (await import('./commands/import.ts')).slack,
  },
  {
    name: 'import mattermost',
    summary: 'Take the bulk export of a Mattermost server into an organization',
    load: async () => (await import('./commands/import.ts')).mattermost,
  },
  {
    name: 'migrate',
    summary: 'Bring the database up to date',
    load: async () => (await import('./commands/migrate.ts')).run,
  },
  {
    name: 'status',
    summary: 'Show nodes, database, queues and backup as they are now',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'doctor',
    summary: 'Check the installation, and say how to mend what is wrong',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
]
