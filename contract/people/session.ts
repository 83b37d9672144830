import { type Static, Type } from 'typebox'
import { ProfileId, Timestamp, Uuid } from '../common.ts'
import { LIMITS } from '../limits.ts'
import { peopleOperation, ROLES } from '../operation.ts'
import {
  Email,
  InOrganization,
  LinkToken,
  Name,
  ORGANIZATION,
  PASSWORD_REFUSALS,
  Password,
} from './common.ts'

export const TAG = 'People: sign-in and account'

const NEEDS = ['sign_in', 'second_factor', 'address_proof', 'sign_on'] as const
export type Need = (typeof NEEDS)[number]

/** An organization that an account belongs to, as an active member. */
export const Membership = Type.Object({
  organizationId: Uuid('The organization'),
  organizationName: Type.String(),
  logoUrl: Type.Optional(Type.String({ description: 'A link that expires' })),
  profileId: ProfileId('The profile of the person there'),
  name: Type.String({ description: 'The name they go by there' }),
  role: Type.Enum(ROLES),
  needs: Type.Optional(
    Type.Enum(NEEDS, {
      description:
        'The step that this session needs before it can enter the organization: sign in again (`sign_in`), or with a second factor (`second_factor`), or prove the e-mail address of the account (`address_proof`), by a mailed link or by single sign-on, or come by single sign-on (`sign_on`)',
    }),
  ),
})
export type Membership = Static<typeof Membership>

export const Session = Type.Object({
  isSetUp: Type.Boolean({ description: 'Whether an operator has set this Parley up' }),
  hasOrganization: Type.Boolean({
    description: 'Whether there is anything to sign in to: also what agents made before the set-up',
  }),
  singleSignOn: Type.Union([Type.String({ description: 'Name of the provider' }), Type.Null()]),
  mail: Type.Enum(['smtp', 'outbox'], {
    description: 'The destination of mail: its receivers, or a folder of the server',
  }),
  account: Type.Union([
    Type.Object({ id: Uuid('The account'), email: Type.String(), memberships: Type.Array(Membership) }),
    Type.Null({ description: 'Not signed in' }),
  ]),
  codeRequired: Type.Optional(
    Type.Boolean({
      description:
        'The account has a second factor: the code is asked for next, in the same browser, within 5 minutes',
    }),
  ),
})
export type Session = Static<typeof Session>

const membership: Membership = {
  organizationId: '7b0e1f5c-3d7a-4f0e-9a51-6f2f1a0c9d11',
  organizationName: 'Lighthouse Labs',
  profileId: '3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b',
  name: 'Ada Okafor',
  role: 'owner',
}
const session: Session = {
  isSetUp: true,
  hasOrganization: true,
  singleSignOn: null,
  mail: 'smtp',
  account: {
    id: '5a6b7c8d-9e0f-4a1b-8c2d-3e4f5a6b7c8d',
    email: 'ada@example.com',
    memberships: [membership],
  },
}
/** The answer of every operation that signs in. */
export const SIGNED_IN = {
  description:
    'Signed in; the answer sets the cookie. Or `codeRequired`, where the account has a second factor',
  schema: Session,
  example: session,
}

export const readSession = peopleOperation({
  id: 'readSession',
  method: 'GET',
  path: '/people/session',
  tag: TAG,
  summary: 'Read the session, and the ways to sign in',
  description: 'Gives the cookie of who is signed in again, so that it lasts as long as the session.',
  access: 'anyone',
  success: { 200: { description: 'The session', schema: Session, example: session } },
})

export const signIn = peopleOperation({
  id: 'signIn',
  method: 'POST',
  path: '/people/sign-in',
  tag: TAG,
  summary: 'Sign in with an e-mail address and a password',
  description:
    'Attempts are limited for each account and each network. A wrong password and an unknown address look the same.',
  access: 'anyone',
  body: Type.Object({ email: Email, password: Type.String({ maxLength: LIMITS.passwordMax }) }),
  bodyExample: { email: 'ada@example.com', password: 'a long and private sentence' },
  success: { 200: SIGNED_IN },
  refusals: ['sign_in_wrong', 'attempts_limited'],
})

export const signInWithDirectory = peopleOperation({
  id: 'signInWithDirectory',
  method: 'POST',
  path: '/people/sign-in/directory',
  tag: TAG,
  summary: 'Sign in with a user name and a password of the directory',
  description:
    'Where the operator has set up a directory (LDAP); elsewhere it is not found. Attempts are limited for each user name and each network. A wrong password, an unknown name and a person who is not let in look the same.',
  access: 'anyone',
  body: Type.Object({
    login: Type.String({
      minLength: 1,
      maxLength: LIMITS.email,
      description: 'The user name or the e-mail address, as the directory knows it',
    }),
    password: Type.String({ minLength: 1, maxLength: LIMITS.passwordMax }),
  }),
  bodyExample: { login: 'ada', password: 'a long and private sentence' },
  success: { 200: SIGNED_IN },
  refusals: ['directory_sign_in_wrong', 'directory_away', 'attempts_limited', 'not_found'],
})

export const signOut = peopleOperation({
  id: 'signOut',
  method: 'POST',
  path: '/people/sign-out',
  tag: TAG,
  summary: 'Sign out here',
  access: 'anyone',
  success: { 204: { description: 'Signed out; the cookie is removed' } },
})

export const requestPasswordReset = peopleOperation({
  id: 'requestPasswordReset',
  method: 'POST',
  path: '/people/password-reset',
  tag: TAG,
  summary: 'Ask for a link to set a new password',
  description: `The link goes out by e-mail when the address has an account; the answer is the same when it has none. It works once, for ${LIMITS.passwordResetMinutes} minutes. Links that were sent before work on. One mail a minute and ${LIMITS.resetMailsPerDay} a day go to an address, more to browsers that have signed in before; a network asks for at most ${LIMITS.passwordResetsPerHour} an hour for one address.`,
  access: 'anyone',
  body: Type.Object({ email: Email }),
  bodyExample: { email: 'ada@example.com' },
  success: { 204: { description: 'Heard' } },
  refusals: ['attempts_limited'],
})

export const resetPassword = peopleOperation({
  id: 'resetPassword',
  method: 'POST',
  path: '/people/password-reset/finish',
  tag: TAG,
  summary: 'Set a new password with the token of a link',
  description:
    'Signs out everywhere, and signs in here. It proves the e-mail address and opens organizations that wait for the proof. If the address was never proven before, everything that was connected to the account ends.',
  access: 'anyone',
  body: Type.Object({ token: LinkToken, password: Password }),
  bodyExample: { token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y', password: 'a long and private sentence' },
  success: { 200: SIGNED_IN },
  refusals: [...PASSWORD_REFUSALS, 'link_not_valid', 'attempts_limited'],
})

export const changePassword = peopleOperation({
  id: 'changePassword',
  method: 'POST',
  path: '/people/password',
  tag: TAG,
  summary: 'Change or set the own password',
  description: `Signs out everywhere else. \`currentPassword\` is needed if there is one; otherwise the session must have begun within the last ${LIMITS.freshSessionMinutes} minutes.`,
  access: 'account',
  body: Type.Object({
    currentPassword: Type.Optional(Type.String({ maxLength: LIMITS.passwordMax })),
    password: Password,
  }),
  bodyExample: { currentPassword: 'a long and private sentence', password: 'another private sentence' },
  success: { 204: { description: 'Changed' } },
  refusals: [...PASSWORD_REFUSALS, 'password_wrong', 'sign_in_again_required', 'attempts_limited'],
})

export const lookAtInvitation = peopleOperation({
  id: 'lookAtInvitation',
  method: 'POST',
  path: '/people/invitations/look',
  tag: TAG,
  summary: 'Read an invitation',
  access: 'anyone',
  body: Type.Object({ token: LinkToken }),
  bodyExample: { token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y' },
  success: {
    200: {
      description: 'An open invitation',
      schema: Type.Object({
        organizationName: Type.String(),
        name: Type.String({ description: 'The name to begin with; the person may give another' }),
        email: Type.String(),
        hasAccount: Type.Boolean({
          description:
            'Whether the address has an account that must be signed in to, instead of choosing a password',
        }),
      }),
      example: {
        organizationName: 'Lighthouse Labs',
        name: 'Ada Okafor',
        email: 'ada@example.com',
        hasAccount: false,
      },
    },
  },
  refusals: ['link_not_valid', 'attempts_limited'],
})

export const acceptInvitation = peopleOperation({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/people/invitations/accept',
  tag: TAG,
  summary: 'Accept an invitation',
  description:
    'Makes the member `Active` and signs them in. If the invitation says `hasAccount`, `password` is the password of the account, or the caller is signed in to it; otherwise it becomes its password. A link that was passed on by hand sets no password of an account that can sign in. A mailed link proves the address.',
  access: 'anyone',
  body: Type.Object({
    token: LinkToken,
    name: Name(LIMITS.profileName, 'The name the person goes by'),
    password: Type.Optional(Password),
  }),
  bodyExample: {
    token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
    name: 'Ada Okafor',
    password: 'a long and private sentence',
  },
  success: { 200: SIGNED_IN },
  refusals: [
    ...PASSWORD_REFUSALS,
    'field_required.password',
    'sign_in_wrong',
    'link_not_valid',
    'attempts_limited',
  ],
})

const Bot = Type.Object({
  id: ProfileId('The bot'),
  name: Type.String(),
  apiKey: Type.String(),
  apiSecret: Type.String({ description: 'Shown here and never again' }),
})

export const lookAtSetup = peopleOperation({
  id: 'lookAtSetup',
  method: 'POST',
  path: '/people/setup/look',
  tag: TAG,
  summary: 'Whether a set-up link works',
  access: 'anyone',
  body: Type.Object({ token: LinkToken }),
  bodyExample: { token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y' },
  success: {
    200: {
      description: 'It works',
      schema: Type.Object({
        asksAboutAgents: Type.Boolean({
          description:
            'Whether the set-up decides if agents may create organizations; AGENT_SIGNUP says it otherwise',
        }),
        isLocal: Type.Boolean({ description: 'Whether people come to this server from its own machine' }),
      }),
      example: { asksAboutAgents: true, isLocal: false },
    },
  },
  refusals: ['link_not_valid', 'attempts_limited'],
})

export const setUp = peopleOperation({
  id: 'setUp',
  method: 'POST',
  path: '/people/setup',
  tag: TAG,
  summary: 'The first run: organization, owner, first bot and a topic of the two',
  description:
    'Takes the token of the link that the server prints at its start until it is set up. The organization becomes the home organization of the server.',
  access: 'anyone',
  body: Type.Object({
    token: LinkToken,
    organizationName: Name(LIMITS.companyName, 'Name of the organization', 'organizationName'),
    adminName: Name(LIMITS.profileName, 'Your name', 'adminName'),
    adminEmail: Email,
    password: Password,
    botName: Name(LIMITS.botName, 'Name of the first bot', 'botName'),
    agentSignup: Type.Optional(
      Type.Boolean({
        description:
          'Whether AI agents may create organizations on this server; without it, only from its own machine. Where AGENT_SIGNUP is set, that counts',
      }),
    ),
  }),
  bodyExample: {
    token: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
    organizationName: 'Lighthouse Labs',
    adminName: 'Ada Okafor',
    adminEmail: 'ada@example.com',
    password: 'a long and private sentence',
    botName: 'Deploy bot',
  },
  success: {
    201: {
      description: 'Set up and signed in; the answer sets the cookie',
      schema: Type.Object({
        session: Session,
        organizationId: Uuid('The organization'),
        topicId: Uuid('The first topic, with owner and bot in it'),
        topicName: Type.String(),
        bot: Bot,
      }),
      example: {
        session,
        organizationId: membership.organizationId,
        topicId: '9c1d2e3f-4a5b-4c6d-8e7f-8091a2b3c4d5',
        topicName: 'General',
        bot: {
          id: 'b@0d5c3f4e-6a1b-4c2d-8e9f-102030405060',
          name: 'Deploy bot',
          apiKey: 'Qm4rT8vYx1zA3cE5gH7jKL',
          apiSecret: 'Vd8Jk2Rf5Ht9Lq3Xw7Zb4Nc6Pg1Ms0y',
        },
      },
    },
  },
  refusals: [...PASSWORD_REFUSALS, 'email_has_account', 'link_not_valid', 'attempts_limited'],
})

const Passkey = Type.Object({
  id: Uuid('The passkey'),
  name: Type.String(),
  createdAt: Timestamp('When it was added'),
  lastUsedAt: Type.Optional(Timestamp('The last sign-in with it')),
})
export type Passkey = Static<typeof Passkey>

const OpenSession = Type.Object({
  id: Uuid('The session'),
  isThis: Type.Boolean({ description: 'The one this request belongs to' }),
  userAgent: Type.String({ description: 'The browser’s `User-Agent`' }),
  createdAt: Timestamp('When it began'),
  lastSeenAt: Timestamp('When it was last used, to the hour'),
})
export type OpenSession = Static<typeof OpenSession>

export const Account = Type.Object({
  email: Type.String(),
  hasPassword: Type.Boolean(),
  secondFactor: Type.Union([
    Type.Object({
      enabledAt: Timestamp('The time since when codes of an app are required'),
      recoveryCodesLeft: Type.Integer(),
    }),
    Type.Null({ description: 'None is set up' }),
  ]),
  passkeys: Type.Array(Passkey),
  sessions: Type.Array(OpenSession),
})
export type Account = Static<typeof Account>

const passkey: Passkey = {
  id: '0a1b2c3d-4e5f-4071-8293-a4b5c6d7e8f9',
  name: 'Laptop',
  createdAt: 1767225600000,
}

export const readAccount = peopleOperation({
  id: 'readAccount',
  method: 'GET',
  path: '/people/account',
  tag: TAG,
  summary: 'Read the own account, its sign-in methods and sessions',
  access: 'account',
  success: {
    200: {
      description: 'The account',
      schema: Account,
      example: {
        email: 'ada@example.com',
        hasPassword: true,
        secondFactor: { enabledAt: 1767225600000, recoveryCodesLeft: 10 },
        passkeys: [passkey],
        sessions: [
          {
            id: '1b2c3d4e-5f60-4182-93a4-b5c6d7e8f90a',
            isThis: true,
            userAgent: 'Firefox',
            createdAt: 1767225600000,
            lastSeenAt: 1767225600000,
          },
        ],
      },
    },
  },
})

export const endSession = peopleOperation({
  id: 'endSession',
  method: 'DELETE',
  path: '/people/account/sessions/{sessionId}',
  tag: TAG,
  summary: 'End one of the own sessions',
  access: 'account',
  params: Type.Object({ sessionId: Uuid('The session') }),
  success: { 204: { description: 'Ended' } },
  refusals: ['session_not_found'],
})

export const endOtherSessions = peopleOperation({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/people/account/sessions',
  tag: TAG,
  summary: 'Sign out everywhere else',
  access: 'account',
  success: { 204: { description: 'All other sessions have ended' } },
})

/** WebAuthn options, passed to the browser unchanged. */
const BrowserOptions = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })
const creationOptions = {
  rp: { id: 'parley.example.com', name: 'Parley' },
  user: { id: 'WmtsYnB4', name: 'ada@example.com', displayName: 'ada@example.com' },
  challenge: 'q3JvZ2VfY2hhbGxlbmdl',
  pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
}
const requestOptions = {
  rpId: 'parley.example.com',
  challenge: 'q3JvZ2VfY2hhbGxlbmdl',
  userVerification: 'preferred',
}

/** Base64url, as browsers write it in JSON, with a generous limit. */
const Bytes = (description: string) => Type.String({ maxLength: 20_000, description })
/** Browsers may add fields. */
const WRITTEN_BY_BROWSER = { 'x-open': true }
const CredentialParts = {
  id: Type.String({ minLength: 1, maxLength: 2000, description: 'The credential' }),
  rawId: Type.String({ maxLength: 2000 }),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}, WRITTEN_BY_BROWSER),
}

/** `RegistrationResponseJSON` of WebAuthn. */
const NewCredential = Type.Object(
  {
    ...CredentialParts,
    response: Type.Object(
      {
        clientDataJSON: Bytes('The client data of the browser'),
        attestationObject: Bytes('The key'),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 20 })),
      },
      WRITTEN_BY_BROWSER,
    ),
  },
  WRITTEN_BY_BROWSER,
)
export type NewCredential = Static<typeof NewCredential>

/** `AuthenticationResponseJSON` of WebAuthn. */
const CredentialProof = Type.Object(
  {
    ...CredentialParts,
    response: Type.Object(
      {
        clientDataJSON: Bytes('The client data of the browser'),
        authenticatorData: Bytes('The data of the authenticator'),
        signature: Bytes('Over both'),
        userHandle: Type.Optional(Bytes('The account')),
      },
      WRITTEN_BY_BROWSER,
    ),
  },
  WRITTEN_BY_BROWSER,
)
export type CredentialProof = Static<typeof CredentialProof>

const credential = { id: 'dGhlIGNyZWRlbnRpYWw', rawId: 'dGhlIGNyZWRlbnRpYWw', type: 'public-key' }
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'

export const startPasskey = peopleOperation({
  id: 'startPasskey',
  method: 'POST',
  path: '/people/passkeys/options',
  tag: TAG,
  summary: 'Begin to add a passkey',
  description: `Needs a session that began within the last ${LIMITS.freshSessionMinutes} minutes.`,
  access: 'account',
  success: {
    200: {
      description: 'Creation options',
      schema: BrowserOptions('PublicKeyCredentialCreationOptionsJSON'),
      example: creationOptions,
    },
  },
  refusals: ['passkeys_full', 'sign_in_again_required', 'attempts_limited'],
})

export const addPasskey = peopleOperation({
  id: 'addPasskey',
  method: 'POST',
  path: '/people/passkeys',
  tag: TAG,
  summary: 'Add a passkey',
  access: 'account',
  bodyBytes: LIMITS.passkeyBodyBytes,
  body: Type.Object({
    name: Name(LIMITS.profileName, 'A name to recognize it by'),
    response: NewCredential,
  }),
  bodyExample: {
    name: 'Laptop',
    response: {
      ...credential,
      clientExtensionResults: {},
      response: { clientDataJSON, attestationObject: 'o2NmbXRkbm9uZQ' },
    },
  },
  success: { 201: { description: 'The passkey', schema: Passkey, example: passkey } },
  refusals: ['passkey_not_verified', 'passkeys_full'],
})

export const removePasskey = peopleOperation({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/people/passkeys/{passkeyId}',
  tag: TAG,
  summary: 'Remove a passkey',
  description: 'The last one stays as long as there is no password.',
  access: 'account',
  params: Type.Object({ passkeyId: Uuid('The passkey') }),
  success: { 204: { description: 'Removed' } },
  refusals: ['password_required_first', 'passkey_not_found'],
})

export const startPasskeySignIn = peopleOperation({
  id: 'startPasskeySignIn',
  method: 'POST',
  path: '/people/passkeys/sign-in/options',
  tag: TAG,
  summary: 'Begin to sign in with a passkey',
  access: 'anyone',
  success: {
    200: {
      description: 'Request options',
      schema: BrowserOptions('PublicKeyCredentialRequestOptionsJSON'),
      example: requestOptions,
    },
  },
  refusals: ['attempts_limited'],
})

export const signInWithPasskey = peopleOperation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/people/passkeys/sign-in',
  tag: TAG,
  summary: 'Sign in with a passkey',
  access: 'anyone',
  bodyBytes: LIMITS.passkeyBodyBytes,
  body: Type.Object({ response: CredentialProof }),
  bodyExample: {
    response: {
      ...credential,
      clientExtensionResults: {},
      response: { clientDataJSON, authenticatorData: 'SZYN5YgOjGh0NBcP', signature: 'MEUCIQDx' },
    },
  },
  success: { 200: SIGNED_IN },
  refusals: ['sign_in_passkey_rejected', 'attempts_limited'],
})

export const renameMyself = peopleOperation({
  id: 'renameMyself',
  method: 'PATCH',
  path: `${ORGANIZATION}/me`,
  tag: TAG,
  summary: 'Change the own name in an organization',
  access: 'guest',
  params: InOrganization(),
  body: Type.Object({ name: Name(LIMITS.profileName, 'The name to go by') }),
  bodyExample: { name: 'Ada Okafor' },
  success: { 200: { description: 'The membership', schema: Membership, example: membership } },
})
