import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { LIMITS } from '../../../contract/limits.ts'
import { acceptInvitation, findInvitation, type Invitation } from '../../actions/invitations.ts'
import type { OpenTransaction } from '../../db/transaction.ts'
import { Refusal } from '../../errors.ts'
import { GuessLimit } from '../../http/guesses.ts'
import { parseJsonBody } from '../../http/json-body.ts'
import { formRoutes, readPage, sendPage } from '../../http/pages.ts'
import { rawBody } from '../../http/request-body.ts'
import { checker } from '../../http/validate.ts'
import type { Parley } from '../../parley.ts'

const REFUSAL =
  'This invitation does not work any more: it was used, or it is too old. Ask the person who invited you for a new one.'
const NO_NAME = 'Please give your name.'

const token = Type.String({ maxLength: 200 })
const LookForm = Type.Object({ token })
const JoinForm = Type.Object({
  token,
  name: Type.String({
    pattern: '\\S',
    maxLength: LIMITS.profileName,
    'x-errors': {
      required: NO_NAME,
      pattern: NO_NAME,
      maxLength: `That is too long: a name has at most ${LIMITS.profileName} characters.`,
    },
  }),
})
const checkLook = checker(LookForm, 'body')
const checkJoin = checker(JoinForm, 'body')

/** The page behind the link of an invitation, and what its form does. */
export function joinRoutes(app: FastifyInstance, parley: Parley): void {
  const { db, config, clock } = parley
  const guesses = new GuessLimit(clock)

  app.get('/join', async (_request, reply) => sendPage(reply, await readPage('join.html')))

  formRoutes(
    app,
    () => config.baseUrl,
    (forms) => {
      forms.post('/join/look', async (request) => {
        // The checkers have made sure of these types.
        const { token } = checkLook(bodyOf(request)) as Static<typeof LookForm>
        const { organization, name } = await guesses.watch(request.ip, () =>
          db.writeOutside((open) => openInvitation(open, token)),
        )
        return { organization, name }
      })

      forms.post('/join', async (request) => {
        const { token, name } = checkJoin(bodyOf(request)) as Static<typeof JoinForm>
        return guesses.watch(request.ip, () =>
          db.writeOutside(async (open) => {
            const invitation = await openInvitation(open, token)
            await acceptInvitation(open, invitation, token, name)
            return { organization: invitation.organization, name }
          }),
        )
      })
    },
  )
}

const bodyOf = (request: FastifyRequest) => parseJsonBody(rawBody(request), request.headers['content-type'])

/** Unknown, used and expired look the same: a stranger learns nothing from the difference. */
async function openInvitation(open: OpenTransaction, token: string): Promise<Invitation> {
  const invitation = await findInvitation(open, token)
  if (!invitation) throw new Refusal(403, REFUSAL)
  return invitation
}
