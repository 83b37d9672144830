import { type Static, Type } from 'typebox'
import { LIMITS } from '../limits.ts'
import { peopleOperation } from '../operation.ts'
import { SIGNED_IN, TAG } from './session.ts'

const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Six digits of the app, or a recovery code. Each works once',
  'x-errors': { minLength: 'code is required' },
})

export const finishSignIn = peopleOperation({
  id: 'finishSignIn',
  method: 'POST',
  path: '/people/sign-in/code',
  tag: TAG,
  summary: 'The second step of signing in: a code',
  description: `Follows \`codeRequired\`, in the same browser, within ${LIMITS.secondFactorMinutes} minutes. Attempts are limited for each account and each network.`,
  access: 'anyone',
  body: Type.Object({ code: Code }),
  bodyExample: { code: '492039' },
  success: { 200: SIGNED_IN },
  refusals: ['sign_in_code_wrong', 'sign_in_code_late', 'attempts_limited'],
})

const RecoveryCodes = Type.Object({
  recoveryCodes: Type.Array(Type.String(), {
    description: 'Each signs in once in place of a code. Shown here and never again',
  }),
})
export type RecoveryCodes = Static<typeof RecoveryCodes>
const recoveryCodes: RecoveryCodes = { recoveryCodes: ['k7mq-2vxa-h4rd-9wzt', 'b3ns-8ycf-q6pj-5ktu'] }

export const NewSecondFactor = Type.Object({
  secret: Type.String({ description: 'The secret in base32, for typing into an app' }),
  address: Type.String({ description: 'The address for a QR code: `otpauth://totp/…`' }),
})
export type NewSecondFactor = Static<typeof NewSecondFactor>

export const startSecondFactor = peopleOperation({
  id: 'startSecondFactor',
  method: 'POST',
  path: '/people/second-factor/start',
  tag: TAG,
  summary: 'Begin to set up a second factor',
  description: `A secret for an authenticator app (TOTP: SHA-1, 6 digits, 30 seconds). It counts for nothing until a code of it was right. The session must have begun within the last ${LIMITS.freshSessionMinutes} minutes, or \`password\` must be right.`,
  access: 'account',
  body: Type.Object({ password: Type.Optional(Type.String({ maxLength: LIMITS.passwordMax })) }),
  bodyExample: {},
  success: {
    200: {
      description: 'The secret',
      schema: NewSecondFactor,
      example: {
        secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
        address:
          'otpauth://totp/Parley%20(chat.example.com)%3Aada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Parley%20(chat.example.com)&algorithm=SHA1&digits=6&period=30',
      },
    },
  },
  refusals: ['second_factor_exists', 'sign_in_again_required', 'password_wrong', 'attempts_limited'],
})

export const enableSecondFactor = peopleOperation({
  id: 'enableSecondFactor',
  method: 'POST',
  path: '/people/second-factor',
  tag: TAG,
  summary: 'Set up a second factor, with the first code of the app',
  description: `Within ${LIMITS.freshSessionMinutes} minutes after the start. Signs out everywhere else.`,
  access: 'account',
  body: Type.Object({ code: Code }),
  bodyExample: { code: '492039' },
  success: { 200: { description: 'Set up', schema: RecoveryCodes, example: recoveryCodes } },
  refusals: ['second_factor_setup_expired', 'code_wrong', 'attempts_limited'],
})

const proof = `The session must have begun within the last ${LIMITS.freshSessionMinutes} minutes, or \`code\` must be right.`

export const disableSecondFactor = peopleOperation({
  id: 'disableSecondFactor',
  method: 'DELETE',
  path: '/people/second-factor',
  tag: TAG,
  summary: 'Remove the own second factor',
  description: `Removes its recovery codes too. ${proof}`,
  access: 'account',
  body: Type.Object({ code: Type.Optional(Code) }),
  bodyExample: { code: '492039' },
  success: { 204: { description: 'Removed' } },
  refusals: ['second_factor_missing', 'sign_in_again_required', 'code_wrong', 'attempts_limited'],
})

export const renewRecoveryCodes = peopleOperation({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/people/second-factor/recovery-codes',
  tag: TAG,
  summary: 'Make new recovery codes',
  description: `The ones before work no longer. ${proof}`,
  access: 'account',
  body: Type.Object({ code: Type.Optional(Code) }),
  bodyExample: { code: '492039' },
  success: { 200: { description: 'The new codes', schema: RecoveryCodes, example: recoveryCodes } },
  refusals: ['second_factor_missing', 'sign_in_again_required', 'code_wrong', 'attempts_limited'],
})
