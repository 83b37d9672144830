import { Type } from 'typebox'

/** The token endpoint speaks RFC 6749: a form in, its own error objects out. */
export const TokenRequest = Type.Object({
  grant_type: Type.String({ description: 'Must be `client_credentials`' }),
  client_id: Type.Optional(Type.String({ description: "The bot's id; left out with HTTP Basic" })),
  client_secret: Type.Optional(Type.String({ description: 'Left out with HTTP Basic' })),
  scope: Type.Optional(
    Type.String({ description: 'Space-separated subset; without it every scope of the bot' }),
  ),
})

export const TokenResponse = Type.Object({
  access_token: Type.String({ description: 'A JWT' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Seconds' }),
  scope: Type.String({ description: 'Space-separated' }),
})

export const TOKEN_ERRORS = {
  invalid_request: 'malformed request or missing required field',
  invalid_client: 'client id or secret missing or wrong',
  invalid_grant: 'credentials or requested scopes not valid for this client',
  unsupported_grant_type: 'only client_credentials is supported',
} as const

export type TokenErrorCode = keyof typeof TOKEN_ERRORS

export const TokenError = Type.Object({
  error: Type.Enum(['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_grant_type']),
  error_description: Type.String(),
})
