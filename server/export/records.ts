/**
 * A table of an organization as records of an export: a line for each row. A field has the name of its column in camel
 * case. Secrets, and columns that another server can derive, are left out.
 */
export type RecordKind = {
  name: string
  table: string
  columns: readonly string[]
  /** Columns with unique values, so that the same rows make the same bytes. */
  order: readonly string[]
  /** Fields that describe a row, and are not imported as they are. */
  told?: Readonly<Record<string, string>>
}

/** Begins with what others refer to, so that they can be taken in one after the other. */
export const RECORD_KINDS: readonly RecordKind[] = [
  kind('organization', 'organizations', 'name', {
    columns: `name size_range industry restrict_to_org_units rate_limit retention_days require_second_factor admins_need_second_factor require_sign_on sign_in_days allow_assistants
      admins_may_read four_eyes keep_messages_days blocked_words link_previews show_presence replies_in_topics members_mention_many members_create_topics members_invite_guests edit_minutes logo_file_id created_at updated_at`,
  }),
  kind('members', 'profiles', 'id', {
    columns: `id kind name email email_key phone external_id status role guest_until title time_zone status_text status_emoji status_until
      dnd_until appears_away photo_file_id created_at updated_at last_seen_at erased_at`,
    told: { hasAccount: 'x.account_id is not null' },
  }),
  kind('provider-names', 'scim_people', 'profile_id', {
    columns: 'user_name user_name_key given_name family_name',
  }),
  kind('org-units', 'org_units', 'id', {
    columns: 'id name tag tag_key type external_id created_at updated_at',
  }),
  kind('org-unit-members', 'org_unit_members', 'org_unit_id profile_id', { columns: 'joined_at' }),
  kind('groups', 'member_groups', 'id', {
    columns: 'id name tag tag_key description owner_id created_at updated_at',
  }),
  kind('group-members', 'member_group_members', 'group_id profile_id', { columns: 'joined_at' }),
  kind('notification-settings', 'notification_settings', 'profile_id', {
    columns: 'keywords quiet_from quiet_to quiet_days time_zone not_while_active mail_after_minutes',
  }),
  kind('bots', 'bots', 'id', {
    columns: `id credential permission scopes active delivery webhook_url webhook_events webhook_gzip webhook_rate poll_vote_events
      opens_direct_messages external_id_is_key prompts signature_version description owner_id paused_at messages_per_day tokens_per_day created_at updated_at`,
  }),
  kind('webhook-addresses', 'webhook_addresses', 'id', {
    columns: 'id bot_id webhook_url webhook_events created_at updated_at',
  }),
  kind('bot-commands', 'bot_commands', 'bot_id name', { columns: 'description arguments fields' }),
  kind('bot-storages', 'bot_storage', 'bot_id', { columns: 'entries bytes last_version' }),
  kind('bot-storage-entries', 'bot_storage_entries', 'bot_id key', {
    columns: 'value bytes version updated_at',
  }),
  kind('emoji', 'custom_emoji', 'name', { columns: 'file_id created_by created_at' }),
  kind('labels', 'labels', 'id', { columns: 'id name name_key created_at' }),
  kind('topics', 'topics', 'id', {
    columns: `id type name description announcement open joined_by_default label_id external_id member_key cover_file_id archived_at
      bots_stopped_at keep_messages_days created_by created_at updated_at`,
  }),
  kind('topic-members', 'topic_members', 'topic_id profile_id', {
    columns: 'topic_created_at joined_at reach',
  }),
  kind('sections', 'sidebar_sections', 'profile_id id', { columns: 'name place folded sorting' }),
  kind('topic-states', 'topic_states', 'profile_id topic_id', {
    columns: 'read_to late_read_to muted favourite section_id place level',
  }),
  kind('topic-changes', 'topic_changes', 'topic_id id', { columns: 'type data created_at' }),
  kind('incoming-webhooks', 'incoming_webhooks', 'id', {
    columns: 'id bot_id topic_id name format template created_at updated_at',
  }),
  kind('followed-threads', 'thread_follows', 'profile_id parent_id', {
    columns: 'topic_id last_reply_id read_to following',
  }),
  kind('messages', 'messages', 'id', {
    columns: `id topic_id sender_id type text mentions parent_id external_id is_system is_edited reply_count thread_only reactions details
      attachments appeared_id created_at updated_at`,
  }),
  kind('reactions', 'reactions', 'id', { columns: 'id message_id profile_id emoji created_at' }),
  kind('receipts', 'message_marks', 'message_id profile_id', { columns: 'delivered_at read_at' }),
  kind('mentions', 'mentions', 'profile_id topic_id message_id', { columns: 'parent_id' }),
  kind('pins', 'pins', 'topic_id message_id', { columns: 'pinned_by pinned_at' }),
  kind('saved-messages', 'saved_messages', 'profile_id message_id', {
    columns: 'topic_id saved_at remind_at reminded_at',
  }),
  kind('message-actions', 'message_actions', 'id', {
    columns: `id bot_id topic_id message_id actions_id slot profile_id element_id label value field_values note created_at`,
  }),
  kind('questions', 'questions', 'id', {
    columns: `id asker_id key asked_hash topic_id message_id actions_id quorum approval decisive otherwise status element_id value decided_by
      expires_at created_at closed_at`,
  }),
  kind('reports', 'message_reports', 'id', {
    columns: `id message_id topic_id sender_id text reporter_id reason created_at outcome decided_by decided_at`,
  }),
  kind('tasks', 'tasks', 'id', {
    columns: `id topic_id title description status assignee due_date index place external_id created_by created_at updated_at`,
  }),
  kind('polls', 'polls', 'id', {
    columns: `id topic_id message_id question subtitle selection_type anonymous status expires_at options created_by created_at version`,
  }),
  kind('poll-votes', 'poll_votes', 'poll_id voter_id option_id', { columns: 'created_at' }),
  kind('legal-holds', 'legal_holds', 'id', {
    columns: 'topic_id profile_id reason set_by set_at ended_by ended_at',
  }),
  kind('held-records', 'held_records', 'id', {
    columns: 'kind record_id topic_id author_id change changed_at record file_ids',
  }),
  kind('audit-log', 'audit_log', 'id', {
    columns: `id at actor_kind actor_id actor_name assistant_name action target_type target_id target_name changes client_address
      client_user_agent`,
  }),
  kind('files', 'stored_files', 'id', { columns: 'id content_type size' }),
]

/** Tables with rows of organizations that an export has not, each with the reason. A test knows every table. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  api_keys: 'a secret',
  former_bot_secrets: 'a secret',
  incoming_tokens: 'a secret',
  assistants: 'a right that was given to a program at this server',
  assistant_tokens: 'a secret',
  invitations: 'a secret',
  join_links: 'a secret',
  scim_tokens: 'a secret',
  audit_destinations: 'a secret, and how far this server has sent',
  message_checks: 'a secret',
  join_requests: 'a secret',
  sessions: 'a secret',
  rehearsals: 'temporary',
  rehearsal_events: 'temporary',
  rehearsal_sayings: 'never said',
  rehearsal_storage: 'temporary',
  private_answers: 'for one person alone',
  drafts: 'not said yet',
  pending_messages: 'not said yet',
  streaming_messages: 'not said yet',
  scheduled_messages: 'not said yet',
  former_reaches: 'temporary',
  content_readings: 'a right that was given at this server',
  bot_directory: 'made anew',
  organization_logs: 'made anew',
  organization_storage: 'counted anew',
  message_counts: 'counted anew',
  retention_dues: 'made anew',
  retention_marks: 'what this server has deleted',
  import_marks: 'what this server has deleted, by a key of its own',
  erasures: 'work of this server, and how far it has come',
  organization_removals: 'work of this server, and how far it has come',
  search_documents: 'made anew',
  search_file_texts: 'made anew',
  search_progress: 'made anew',
  search_ranges: 'made anew',
  search_waiting: 'made anew',
  search_entries: 'made anew',
  search_positions: 'made anew',
  search_segments: 'made anew',
  notification_readers: 'made anew',
  events: 'for bots that listen to this server',
  audience_blocks: 'for bots that listen to this server',
  audience_rows: 'for bots that listen to this server',
  message_events: 'for bots that listen to this server',
  deliveries: 'for bots that listen to this server',
  delivery_attempts: 'for bots that listen to this server',
  incoming_calls: 'temporary',
  idempotent_answers: 'temporary',
  request_nonces: 'temporary',
  jobs: 'temporary',
  link_previews: 'fetched anew',
  bot_usage: 'temporary',
  missed_messages: 'temporary',
  pushes: 'temporary',
}

function kind(
  name: string,
  table: string,
  order: string,
  { columns, told }: { columns: string; told?: Record<string, string> },
): RecordKind {
  const ordered = order.split(' ')
  const others = columns.split(/\s+/).filter((column) => column !== '' && !ordered.includes(column))
  return { name, table, columns: [...ordered, ...others], order: ordered, ...(told && { told }) }
}

export const fieldOf = (column: string): string =>
  column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
