/*
 * Tables that a cluster has elsewhere than with their organization, and keys and triggers that it has not at all (server/db/placement.ts).
 * A line is added together with the code that lives with it.
 */

/** Tables that are found before an organization is known, work that waits, and those of the whole installation. */
export const CENTRAL: readonly string[] = [
  'api_keys',
  'assistant_tokens',
  'bot_directory',
  'budgets',
  'external_accounts',
  'functions',
  'incoming_tokens',
  'invitations',
  'jobs',
  'join_links',
  'join_requests',
  'mails',
  'mark_keys',
  'migrations',
  'nodes',
  'oauth_clients',
  'one_time_tokens',
  'passkeys',
  'push_keys',
  'push_subscriptions',
  'pushes',
  'recovery_codes',
  'scim_tokens',
  'second_factors',
  'sessions',
  'settings',
  'stored_files',
]

/** Foreign keys that a cluster cannot have: actions delete and empty what these would. */
export const KEYS_LEFT_OUT: readonly string[] = [
  'api_keys → bots',
  'assistant_tokens → assistants',
  'bot_directory → bots',
  'incoming_tokens → incoming_webhooks',
  'invitations → profiles',
  'topics → labels',
]

/** Triggers that a cluster cannot have: actions do what these do (spread-news.ts, held-files.ts). */
export const TRIGGERS_LEFT_OUT: readonly string[] = [
  'accounts_address',
  'held_records_files',
  'organizations_authority',
  'organizations_blocked_words',
  'organizations_limits',
  'organizations_presence',
  'organizations_retention',
  'organizations_searched',
  'organizations_tightened',
  'profiles_put_out',
  'profiles_role_told',
]
