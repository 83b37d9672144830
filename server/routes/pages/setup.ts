import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { LIMITS } from '../../../contract/limits.ts'
import { setUpFirstOrganization } from '../../actions/installation.ts'
import { GuessLimit } from '../../http/guesses.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { formRoutes, readPage, sendPage } from '../../http/pages.ts'
import { rawBody } from '../../http/request-body.ts'
import { checker } from '../../http/validate.ts'
import type { Parley } from '../../parley.ts'

const TOKEN_LENGTH = 200

const named = (maxLength: number, what: string) =>
  Type.String({
    pattern: '\\S',
    maxLength,
    'x-errors': {
      required: `Please give ${what}.`,
      pattern: `Please give ${what}.`,
      maxLength: `That is too long: ${what} has at most ${maxLength} characters.`,
    },
  })

const NO_ADDRESS = 'Please give an e-mail address, such as ada@example.com.'

const SetupForm = Type.Object({
  token: Type.String({ maxLength: TOKEN_LENGTH }),
  organizationName: named(LIMITS.companyName, 'the name of the organization'),
  adminName: named(LIMITS.profileName, 'your name'),
  adminEmail: Type.String({
    format: 'email',
    maxLength: LIMITS.email,
    'x-errors': { required: NO_ADDRESS, format: NO_ADDRESS, maxLength: NO_ADDRESS },
  }),
  botName: named(LIMITS.botName, 'a name for the bot'),
})
const check = checker(SetupForm, 'body')

/** The first run: the page behind the link that `start` prints, and what its form does. */
export function setupRoutes(app: FastifyInstance, parley: Parley): void {
  const { db, secrets, config, clock } = parley
  const guesses = new GuessLimit(clock)

  app.get('/setup', async (_request, reply) => sendPage(reply, await readPage('setup.html')))

  formRoutes(
    app,
    () => config.baseUrl,
    (forms) => {
      forms.post('/setup', async (request, reply) => {
        const body = parseJsonBody(rawBody(request), request.headers['content-type'])
        // The checker has made sure of it.
        const { token, ...setup } = check(body) as Static<typeof SetupForm>
        const made = await guesses.watch(request.ip, () =>
          db.writeOutside((open) => setUpFirstOrganization(open, secrets, token, setup)),
        )
        return reply.code(201).send({ ...made, firstCall: firstCall(config.baseUrl, made) })
      })
    },
  )
}

/**
 * A signed request that runs as it stands in any shell with openssl. Seconds and three zeros, since macOS has no
 * `date +%N`; not a variable `path`, which zsh ties to PATH.
 */
function firstCall(baseUrl: string, { apiKey, apiSecret }: { apiKey: string; apiSecret: string }): string {
  return `target=/v2/members/me
timestamp=$(date +%s)000
signature=$(printf '%s' "$timestamp.$target" | openssl dgst -sha256 -hmac '${apiSecret}' | sed 's/^.* //')
curl "${baseUrl}$target" \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Signature: $signature"`
}
