import { LIMITS } from '../limits.ts'
import type { Declared } from './declared.ts'

/** Refusals of bots, their webhooks, their storage, incoming webhooks and assistants. */
export const BOT_REFUSALS = {
  bot_not_found: [404, 'Bot not found'],
  bot_paused: [403, 'the bot is paused'],
  bots_stopped: [403, 'bots are stopped in this topic until a person writes there'],
  bots_slowed: [429, 'bots answer each other too often in this topic, wait'],
  bot_budget_spent: [429, 'the budget of the bot for today is used up'],
  bot_not_active: [400, 'bot is not active'],
  bot_not_in_topic: [400, 'the bot is not in this topic', 'topicId'],
  direct_messages_off: [403, 'this bot may not open direct messages, an admin can allow it'],
  bot_may_not_send: [400, 'the bot may not send messages'],
  bot_has_no_key: [400, 'an OAuth bot has no API key'],
  bot_signs_nothing: [400, 'an OAuth bot signs no requests'],
  permission_not_applicable: [400, 'permission is for static keys', 'permission'],
  signature_version_not_applicable: [400, 'signatureVersion is for static keys', 'signatureVersion'],
  scopes_not_applicable: [400, 'scopes are for OAuth', 'scopes'],
  command_names_repeated: [400, 'names must differ', 'commands'],
  command_arguments_invalid: [
    400,
    'arguments of type choice have different options, others none; required ones come first',
    'commands',
  ],
  command_fields_too_large: [400, 'fields of the commands too large', 'commands'],

  webhook_not_enabled: [400, 'delivery mode is not webhook'],
  webhook_url_invalid: [
    400,
    'the webhook address must be an http or https address, such as https://example.com/events',
  ],
  webhook_url_not_https: [
    400,
    'the webhook address must begin with https://, because BASE_URL ({baseUrl}) does',
  ],
  webhook_url_has_credentials: [
    400,
    'the webhook address must not hold a user name or password; check the signature of the requests instead',
  ],
  webhook_url_too_long: [400, 'the webhook address must not have more than {maximum} characters'],
  webhook_url_not_public: [
    400,
    'the webhook address leads to {host}, which is not on the public internet; the operator can open its network to an organization with WEBHOOK_ALLOWED_NETWORKS',
  ],
  webhook_url_known: [400, 'the webhook address is one that the bot has already'],
  webhook_addresses_full: [400, `a bot can have ${LIMITS.webhookAddresses} addresses at most`],
  webhook_address_not_found: [404, 'Address not found'],
  webhook_header_name_invalid: [
    400,
    'a header has a name of 1 to 64 letters, digits and dashes that Parley does not use itself',
  ],
  webhook_header_value_invalid: [
    400,
    `a header has a value of 1 to ${LIMITS.webhookHeaderValue} printable characters`,
  ],
  webhook_headers_full: [400, `there can be ${LIMITS.webhookHeaders} headers at most`],
  delivery_not_found: [404, 'Delivery not found'],

  storage_key_not_found: [404, 'Key not found'],
  storage_version_conflict: [409, 'version does not match'],
  storage_value_too_large: [400, 'value too large', 'value'],
  storage_value_inexact: [400, 'value has a number that cannot be kept exactly', 'value'],
  storage_value_too_deep: [400, 'value nested too deeply', 'value'],
  storage_keys_full: [400, 'too many keys'],
  storage_full: [400, 'storage is full'],

  incoming_webhook_not_found: [404, 'Incoming webhook not found'],
  incoming_webhooks_full: [400, `a bot can have ${LIMITS.incomingWebhooks} incoming webhooks at most`],
  incoming_secret_invalid: [
    400,
    'a secret that begins with whsec_ must go on with at least 24 bytes in base64',
    'secret',
  ],
  incoming_template_misplaced: [400, 'a template is for the format generic', 'template'],
  incoming_address_not_found: [404, 'webhook not found'],
  incoming_bot_stopped: [503, 'the bot of this webhook is stopped; try again later'],
  incoming_signature_invalid: [401, 'signature or token does not match'],
  incoming_payload_missing: [400, 'the form has no field payload', 'payload'],
  incoming_payload_empty: [400, 'there is nothing to show in this payload'],
  incoming_field_missing: [400, '{field} is missing'],
  incoming_alerts_invalid: [400, 'alerts must be a list', 'alerts'],

  assistant_not_found: [404, 'Assistant not found'],
  assistant_unknown: [400, 'this assistant is not known here'],
  assistant_request_invalid: [400, 'the assistant asks in a way that is not valid'],
  assistant_redirect_foreign: [400, 'the address to return to is not one of this assistant'],
  assistant_description_unreadable: [400, 'the description of this assistant could not be read'],
  assistant_scope_not_requested: [400, 'the assistant does not ask for this', 'scopes'],
  assistants_not_allowed: [403, 'this organization does not allow assistants'],
  mcp_message_invalid: [400, 'the body must be a message of JSON-RPC 2.0'],
  mcp_method_unknown: [404, 'Method not found'],
  tool_argument_unknown: [400, 'there is no argument {name}; there are: {known}'],
} as const satisfies Record<string, Declared>
