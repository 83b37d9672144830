import { type Static, Type } from 'typebox'
import { Page, PageQuery, ProfileId, Timestamp, Uuid } from '../common.ts'
import { PICTURE_REFUSALS } from '../files.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { InOrganization, Name, ORGANIZATION } from './common.ts'

const TAG = 'People: organization'

export const OrganizationSettings = Type.Object({
  id: Uuid('The organization'),
  name: Type.String(),
  logoUrl: Type.Optional(Type.String({ description: 'A link that expires' })),
  restrictToOrgUnits: Type.Boolean({ description: 'Whether bots see only the org units they are in' }),
  rateLimit: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Requests a minute for all bots together; 0: no limit; null: as many as the server allows',
  }),
  retentionDays: Type.Union([Type.Number(), Type.Null()], {
    description: 'The days that events and deliveries are kept; null: as long as the server allows',
  }),
  agentSignup: Type.Boolean({
    description: 'Whether AI agents, wherever they are, may create organizations on this server',
  }),
  requireSecondFactor: Type.Boolean({
    description: 'Whether people reach this organization only after signing in with a second factor',
  }),
  adminsNeedSecondFactor: Type.Boolean({
    description:
      'Whether admins and owners reach this organization only after signing in with a second factor, also where others need none',
  }),
  requireSignOn: Type.Boolean({
    description:
      'Whether members reach this organization by single sign-on alone; owners also with a second factor',
  }),
  signInDays: Type.Union([Type.Integer(), Type.Null()], {
    description: `The days after which people must sign in again to reach this organization; null: after ${LIMITS.signInDays}, as everywhere. Assistants that they connected go on`,
  }),
  allowAssistants: Type.Boolean({ description: 'Whether its people may connect assistants of their own' }),
  fourEyes: Type.Boolean({
    description:
      'Whether a reading of content that its reader is not part of needs a second owner. While it is on, the set of owners cannot change',
  }),
  fourEyesEndAsked: Type.Optional(
    Type.Object(
      { id: ProfileId('The owner'), name: Type.String() },
      { description: 'The owner who asked to switch `fourEyes` off; it counts once another one does too' },
    ),
  ),
  linkPreviews: Type.Boolean({
    description: 'Whether the server fetches what links in messages lead to, and shows it with them',
  }),
  showPresence: Type.Boolean({
    description:
      'Whether people see who is there, who writes and what they are at. Off: nothing of it is sent or shown',
  }),
  repliesInTopics: Type.Boolean({
    description:
      'Whether topics show all replies, beside their threads. Off: a reply stays in its thread, unless its sender shows it in the topic, too',
  }),
  membersMentionMany: Type.Boolean({
    description: `Whether all members may mention more than ${LIMITS.mentionedFreely} people at once by @everyone, @here and groups, bots too. Off: only admins`,
  }),
  membersCreateTopics: Type.Boolean({
    description:
      'Whether all members may create topics. Off: only admins, and bots as before. Direct messages are not concerned',
  }),
  membersInviteGuests: Type.Boolean({
    description:
      'Whether all members may invite guests to their topics, and bring guests into further ones, bots too. Off: only admins',
  }),
  editMinutes: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'The minutes for which people may edit and delete their own messages, after they were sent; 0: never; null: always. Bots are not concerned',
  }),
  keepMessagesDays: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'The days that messages are kept, unless a topic has its own setting; null: forever. Older ones are deleted within about an hour',
  }),
  keepMessagesNext: Type.Optional(
    Type.Object(
      {
        days: Type.Integer({ description: 'The days that messages are kept then' }),
        at: Timestamp('The time from which it applies'),
        by: Type.Object({ id: ProfileId('The owner who chose it'), name: Type.String() }),
      },
      {
        description: 'A shorter time that counts a day after it was chosen; until then it can be taken back',
      },
    ),
  ),
  blockedWords: Type.Array(Type.String(), {
    description:
      'Words that no message may contain; an entry of several words matches them in sequence. Empty: none',
  }),
  server: Type.Object(
    {
      rateLimit: Type.Integer({ description: 'The most that `rateLimit` can be; 0: no limit' }),
      retentionDays: Type.Number({ description: 'The most that `retentionDays` can be' }),
      isHome: Type.Boolean({
        description:
          'Whether this is the home organization of the server: its owners decide on agent sign-up',
      }),
      linkPreviews: Type.Boolean({ description: 'Whether the operator allows `linkPreviews` at all' }),
      mail: Type.Enum(['smtp', 'outbox'], { description: 'The destination of mail' }),
    },
    { description: 'The limits set by the operator of the server' },
  ),
})
export type OrganizationSettings = Static<typeof OrganizationSettings>

const settings: OrganizationSettings = {
  id: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11',
  name: 'Lighthouse Labs',
  restrictToOrgUnits: false,
  rateLimit: null,
  retentionDays: null,
  agentSignup: true,
  requireSecondFactor: false,
  adminsNeedSecondFactor: false,
  requireSignOn: false,
  signInDays: null,
  allowAssistants: true,
  fourEyes: false,
  editMinutes: null,
  keepMessagesDays: null,
  blockedWords: [],
  linkPreviews: true,
  showPresence: true,
  repliesInTopics: false,
  membersMentionMany: false,
  membersCreateTopics: true,
  membersInviteGuests: false,
  server: { rateLimit: 1000, retentionDays: 7, isHome: true, linkPreviews: true, mail: 'smtp' },
}

export const readOrganization = peopleOperation({
  id: 'readOrganization',
  method: 'GET',
  path: ORGANIZATION,
  tag: TAG,
  summary: 'Read the settings of an organization',
  access: 'admin',
  params: InOrganization(),
  success: { 200: { description: 'The settings', schema: OrganizationSettings, example: settings } },
})

export const updateOrganization = peopleOperation({
  id: 'updateOrganization',
  method: 'PATCH',
  path: ORGANIZATION,
  tag: TAG,
  summary: 'Change the settings of an organization',
  description:
    'Omitted fields stay. `rateLimit` and `retentionDays` can be at most what the server allows, as in `server`. `agentSignup` is for owners of the home organization of the server. `requireSecondFactor` and `adminsNeedSecondFactor` are for owners, who must be signed in with a second factor to switch them on. `requireSignOn` is for owners, who must have come by single sign-on to switch it on. `signInDays` is for owners. Switching `allowAssistants` off disconnects all of them. `fourEyes` is for owners: switching it off takes two of them. `keepMessagesDays` is for owners: a shorter time applies a day later, as `keepMessagesNext` says, and all owners get a mail; a longer one, or the present one, applies at once and cancels a pending change. Messages older than that are deleted for good; `GET …/kept-messages` counts them before. `blockedWords` are compared as whole words, ignoring case; two equal entries become one.',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({
    name: Type.Optional(Name(LIMITS.companyName, 'Name of the organization')),
    restrictToOrgUnits: Type.Optional(Type.Boolean()),
    rateLimit: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()])),
    retentionDays: Type.Optional(Type.Union([Type.Number({ minimum: 0.01, maximum: 3650 }), Type.Null()])),
    agentSignup: Type.Optional(Type.Boolean()),
    requireSecondFactor: Type.Optional(Type.Boolean()),
    adminsNeedSecondFactor: Type.Optional(Type.Boolean()),
    requireSignOn: Type.Optional(Type.Boolean()),
    signInDays: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: LIMITS.signInDays }), Type.Null()]),
    ),
    allowAssistants: Type.Optional(Type.Boolean()),
    fourEyes: Type.Optional(Type.Boolean()),
    linkPreviews: Type.Optional(Type.Boolean()),
    showPresence: Type.Optional(Type.Boolean()),
    repliesInTopics: Type.Optional(Type.Boolean()),
    membersMentionMany: Type.Optional(Type.Boolean()),
    membersCreateTopics: Type.Optional(Type.Boolean()),
    membersInviteGuests: Type.Optional(Type.Boolean()),
    editMinutes: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: LIMITS.editMinutes }), Type.Null()]),
    ),
    keepMessagesDays: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: LIMITS.keepMessagesDays }), Type.Null()]),
    ),
    blockedWords: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.blockedWord }), {
        maxItems: LIMITS.blockedWords,
      }),
    ),
  }),
  bodyBytes: 64 * 1024,
  bodyExample: { restrictToOrgUnits: true },
  success: { 200: { description: 'The settings', schema: OrganizationSettings, example: settings } },
  refusals: [
    'rate_limit_out_of_range.1000',
    'retention_out_of_range.7',
    'second_factor_unused',
    'sign_on_unused',
    'blocked_words_invalid',
    'four_eyes_owners_missing',
    'four_eyes_owner_pending',
    'agent_signup_for_home',
    'second_factor_for_owners',
    'sign_on_for_owners',
    'sign_in_days_for_owners',
    'four_eyes_for_owners',
    'retention_for_owners',
  ],
})

export const MAX_COUNTED = 10_000

export const previewRetention = peopleOperation({
  id: 'previewRetention',
  method: 'GET',
  path: `${ORGANIZATION}/retention`,
  tag: TAG,
  summary: 'Preview what a retention time would drop',
  description: `Changes nothing. Bots would never receive what is counted here; at most ${MAX_COUNTED} of each kind are counted.`,
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    retentionDays: Type.Optional(
      Type.Number({ minimum: 0.01, maximum: 3650, description: 'The server’s default if missing' }),
    ),
  }),
  success: {
    200: {
      description: 'The events and deliveries that would be dropped now',
      schema: Type.Object({
        deliveries: Type.Integer({ description: 'Deliveries that webhooks have yet to receive' }),
        updates: Type.Integer({ description: 'Updates that bots have yet to poll' }),
      }),
      example: { deliveries: 12, updates: 0 },
    },
  },
})

export const setLogo = peopleOperation({
  id: 'setLogo',
  method: 'POST',
  path: `${ORGANIZATION}/logo`,
  tag: TAG,
  summary: 'Set the logo',
  access: 'admin',
  params: InOrganization(),
  body: Type.Object({}),
  bodyExample: {},
  form: {
    metaParts: ['metadata'],
    meta: Type.Object({}),
    metaExample: {},
    description: 'A logo: JPEG or PNG',
    files: { minimum: 1, maximum: 1, maxBytes: LIMITS.logoBytes },
  },
  success: { 200: { description: 'The settings', schema: OrganizationSettings, example: settings } },
  refusals: [...PICTURE_REFUSALS, 'storage_quota_exceeded'],
})

export const removeLogo = peopleOperation({
  id: 'removeLogo',
  method: 'DELETE',
  path: `${ORGANIZATION}/logo`,
  tag: TAG,
  summary: 'Remove the logo',
  access: 'admin',
  params: InOrganization(),
  success: { 204: { description: 'Removed' } },
})

export const OVERVIEW_DAYS = 14

const ATTEMPTS =
  'Attempts of the last 24 hours, for events of that time and for older ones that are still being tried,'

export const Overview = Type.Object({
  members: Type.Object({ active: Type.Integer(), pending: Type.Integer(), archived: Type.Integer() }),
  bots: Type.Object({ active: Type.Integer(), inactive: Type.Integer() }),
  topics: Type.Integer(),
  storage: Type.Object({
    usedBytes: Type.Integer({ description: 'Files of messages, covers and the logo, without thumbnails' }),
    quotaBytes: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The limit in bytes; null: no limit',
    }),
  }),
  messagesByDay: Type.Array(
    Type.Object({
      day: Type.String({ description: 'The day in UTC, such as `2026-01-31`' }),
      count: Type.Integer(),
    }),
    { description: `The last ${OVERVIEW_DAYS} days, the oldest first; today is the last` },
  ),
  deliveries: Type.Object({
    delivered: Type.Integer({ description: `${ATTEMPTS} that were answered well` }),
    failed: Type.Integer({ description: `${ATTEMPTS} that were not` }),
    pending: Type.Integer({ description: 'Waiting now; at most 1000 are counted' }),
    byHour: Type.Array(
      Type.Object({ hour: Timestamp('When it began'), delivered: Type.Integer(), failed: Type.Integer() }),
      { description: 'The numbers by the hour: the last 24, the oldest first' },
    ),
    unwell: Type.Array(
      Type.Object({
        botId: ProfileId('The bot'),
        name: Type.String(),
        state: Type.Enum(['failing', 'paused']),
        since: Timestamp('The start'),
      }),
      { description: 'Webhooks that fail or are paused' },
    ),
  }),
  stoppedTopics: Type.Array(
    Type.Object({
      topicId: Uuid('The topic'),
      name: Type.String(),
      since: Timestamp('The time since when bots may not write there'),
    }),
    {
      description: 'Topics in which bots only answered each other, those first that wait longest; at most 20',
    },
  ),
  signups: Type.Optional(
    Type.Object(
      {
        access: Type.Enum(['everybody', 'this machine', 'nobody'], {
          description: 'The visitors who may create organizations',
        }),
        organizations: Type.Integer(),
        lastDay: Type.Integer({ description: 'Created in the last 24 hours' }),
      },
      { description: 'Organizations of the whole server; only for the home organization' },
    ),
  ),
  backup: Type.Optional(
    Type.Object(
      { lastAt: Type.Optional(Timestamp('The time of the last one; missing if there is none')) },
      { description: 'Only for the home organization of a server with its own database' },
    ),
  ),
})
export type Overview = Static<typeof Overview>

export const readOverview = peopleOperation({
  id: 'readOverview',
  method: 'GET',
  path: `${ORGANIZATION}/overview`,
  tag: TAG,
  summary: 'Figures of an organization',
  access: 'admin',
  params: InOrganization(),
  success: {
    200: {
      description: 'The figures of now',
      schema: Overview,
      example: {
        members: { active: 12, pending: 2, archived: 1 },
        bots: { active: 3, inactive: 0 },
        topics: 24,
        storage: { usedBytes: 1_288_490_189, quotaBytes: 10_737_418_240 },
        messagesByDay: [{ day: '2026-01-01', count: 120 }],
        deliveries: {
          delivered: 310,
          failed: 2,
          pending: 0,
          byHour: [{ hour: 1767225600000, delivered: 12, failed: 0 }],
          unwell: [],
        },
        stoppedTopics: [],
        signups: { access: 'this machine', organizations: 1, lastDay: 0 },
        backup: { lastAt: 1767225600000 },
      },
    },
  },
})

/** Actions in the audit log; the part before the dot is the kind of thing that changed. */
export const AUDIT_ACTIONS = [
  'organization.created',
  'organization.changed',
  'organization.logo_set',
  'organization.logo_removed',
  'organization.join_link_made',
  'organization.join_link_revoked',
  'organization.invitations_asked',
  'organization.invitations_stopped',
  'organization.scim_token_made',
  'organization.scim_token_revoked',
  'organization.audit_token_made',
  'organization.audit_token_revoked',
  'organization.audit_destination_added',
  'organization.audit_destination_removed',
  'organization.audit_destination_tested',
  'organization.message_check_set',
  'organization.message_check_removed',
  'organization.message_check_tested',
  'organization.imported',
  'organization.removed',
  'member.added',
  'member.invited',
  'member.invitation_link_made',
  'member.invited_by_link',
  'member.joined',
  'member.role_changed',
  'member.guest_end_changed',
  'member.renamed',
  'member.changed',
  'member.address_changed',
  'member.activated',
  'member.archived',
  'member.deleted',
  'member.signed_in',
  'member.sign_in_failed',
  'member.password_reset_requested',
  'member.password_reset',
  'member.password_changed',
  'member.passkey_added',
  'member.passkey_removed',
  'member.second_factor_enabled',
  'member.second_factor_disabled',
  'member.second_factor_reset',
  'member.address_vouched',
  'member.recovery_codes_renewed',
  'member.recovery_code_used',
  'member.sessions_ended',
  'bot.created',
  'bot.changed',
  'bot.secret_rotated',
  'bot.former_secret_ended',
  'bot.key_replaced',
  'bot.deleted',
  'bot.activated',
  'bot.deactivated',
  'bot.paused',
  'bot.resumed',
  'bot.reach_changed',
  'bot.photo_set',
  'bot.photo_removed',
  'bot.address_added',
  'bot.address_changed',
  'bot.address_removed',
  'bot.address_secret_rotated',
  'bot.address_former_secret_ended',
  'bot.budget_nearly_spent',
  'bot.rate_limit_used_up',
  'bot.webhook_tested',
  'bot.webhook_resumed',
  'bot.webhook_paused',
  'bot.replayed',
  'bot.answered',
  'bot.rehearsal_started',
  'bot.rehearsal_deleted',
  'bot.incoming_webhook_made',
  'bot.incoming_webhook_changed',
  'bot.incoming_webhook_rotated',
  'bot.incoming_webhook_former_ended',
  'bot.incoming_webhook_revoked',
  'label.created',
  'label.renamed',
  'label.deleted',
  'org_unit.created',
  'org_unit.changed',
  'org_unit.deleted',
  'org_unit.members_changed',
  'group.created',
  'group.changed',
  'group.deleted',
  'group.members_changed',
  'topic.changed',
  'topic.members_changed',
  'assistant.connected',
  'assistant.called',
  'assistant.ended',
  'topic.bots_stopped',
  'topic.bots_released',
  'topic.content_read',
  'member.reading_allowed',
  'member.reading_forbidden',
  'member.data_read',
  'member.data_deleted',
  'member.data_deletion_finished',
  'member.data_deletion_failed',
  'hold.set',
  'hold.ended',
  'hold.read',
  'bot.content_read',
  'reading.asked',
  'reading.granted',
  'reading.refused',
  'reading.ended',
  'report.made',
  'report.read',
  'report.dismissed',
  'report.message_deleted',
  'held_message.made',
  'held_message.read',
  'held_message.released',
  'held_message.rejected',
  'emoji.added',
  'emoji.removed',
] as const
export type AuditAction = (typeof AUDIT_ACTIONS)[number]
export const AUDIT_TARGETS = [
  'organization',
  'member',
  'bot',
  'label',
  'org_unit',
  'group',
  'topic',
  'assistant',
  'hold',
  'reading',
  'report',
  'held_message',
  'emoji',
] as const
export type AuditTarget = (typeof AUDIT_TARGETS)[number]

export const AuditEntry = Type.Object({
  id: Uuid('The entry'),
  at: Timestamp('When'),
  actor: Type.Object({
    kind: Type.Enum(['person', 'bot', 'operator', 'server', 'scim'], {
      description:
        '`operator`: a command on the server; `server`: Parley itself, such as pausing a failing webhook; `scim`: the identity provider, by SCIM',
    }),
    id: Type.Optional(ProfileId('The person or bot who did it')),
    name: Type.Optional(Type.String({ description: 'The name they had then' })),
    assistant: Type.Optional(
      Type.String({ description: 'The assistant that acted for this person, by the name it had then' }),
    ),
  }),
  action: Type.Enum(AUDIT_ACTIONS),
  target: Type.Object({
    type: Type.Enum(AUDIT_TARGETS),
    id: Type.String(),
    name: Type.String({ description: 'The name it had then' }),
  }),
  changes: Type.Array(
    Type.Object({
      field: Type.String(),
      from: Type.Optional(Type.String()),
      to: Type.Optional(Type.String()),
      fromId: Type.Optional(ProfileId('The member that `from` names')),
      toId: Type.Optional(ProfileId('The member that `to` names')),
    }),
    { description: 'Former and new values, never a secret' },
  ),
  client: Type.Optional(
    Type.Object(
      { address: Type.String(), userAgent: Type.String({ description: 'The browser’s `User-Agent`' }) },
      { description: 'The origin of a person’s change, or of an attempt to sign in as them' },
    ),
  ),
})
export type AuditEntry = Static<typeof AuditEntry>

const AuditFilters = {
  target: Type.Optional(Type.Enum(AUDIT_TARGETS, { description: 'Only changes to things of this kind' })),
  targetId: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes to this' })),
  actorId: Type.Optional(ProfileId('Only what they changed')),
  only: Type.Optional(
    Type.Enum(['sign_ins', 'changes'], {
      description: '`sign_ins`: sign-ins alone, also those that failed; `changes`: everything but these',
    }),
  ),
  from: Type.Optional(Timestamp('Only entries at or after this time')),
  to: Type.Optional(Timestamp('Only entries before this time')),
}

const entry: AuditEntry = {
  id: '019b76da-a800-7000-8000-000000000001',
  at: 1767225600000,
  actor: { kind: 'person', id: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', name: 'Ada Okafor' },
  action: 'member.role_changed',
  target: { type: 'member', id: '6e5d4c3b-2a19-4807-96f5-e4d3c2b1a098', name: 'Ben Ito' },
  changes: [{ field: 'role', from: 'member', to: 'admin' }],
  client: { address: '192.0.2.7', userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Firefox/150.0' },
}

export const listAuditEntries = peopleOperation({
  id: 'listAuditEntries',
  method: 'GET',
  path: `${ORGANIZATION}/audit`,
  tag: TAG,
  summary: 'List changes, the newest first',
  description: 'Entries are written with the change itself and can be neither changed nor removed.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({ ...PageQuery, ...AuditFilters }),
  success: {
    200: {
      description: 'A page of entries',
      schema: Page('entries', AuditEntry),
      example: { entries: [entry], hasMore: false },
    },
  },
  refusals: ['cursor_invalid'],
})

export const exportAuditEntries = peopleOperation({
  id: 'exportAuditEntries',
  method: 'GET',
  path: `${ORGANIZATION}/audit/export`,
  tag: TAG,
  summary: 'All entries that the filters leave, as a file',
  description:
    'The newest first, as many as there are: the answer is sent as it is read. One that breaks off is not whole.',
  access: 'admin',
  params: InOrganization(),
  query: Type.Object({
    ...AuditFilters,
    format: Type.Optional(Type.Enum(['json', 'csv'], { description: '`json` by default' })),
  }),
  success: {
    200: {
      description: 'The entries',
      schema: Type.Array(AuditEntry),
      example: [entry],
      texts: {
        'text/csv':
          'at,actor kind,actor id,actor,action,target kind,target id,target,changes,address,browser,assistant\r\n',
      },
    },
  },
})
