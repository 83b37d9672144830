import * as contract from '../../../../contract/people/assistants.ts'
import { connectAssistant, endOwnAssistant } from '../../../actions/accounts/assistants.ts'
import { answerAddress, readAuthorizationRequest } from '../../../auth/authorization-requests.ts'
import { hostOf, isOnDevice, isVerified } from '../../../auth/oauth-clients.ts'
import { requireFresh } from '../../../auth/sessions.ts'
import { Refusal } from '../../../errors.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { listAllowingOrganizations, listAssistants } from '../../../queries/accounts/assistants.ts'
import type { AccountLimits } from './limits.ts'

/** The page on which people let an assistant in, and what they do about those that they have let in. */
export function assistantRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.account(contract.lookAtAssistant, async ({ body, signedIn, parley, visitor }) => {
    // Reading a document from another server must be limited.
    limits.challenges.count(visitor.client)
    const { baseUrl } = parley.config
    const request = await readAuthorizationRequest(parley, body.request)
    const { client, redirectUri } = request
    const place = { host: hostOf(redirectUri), isOnDevice: isOnDevice(redirectUri) }
    if ('error' in request) {
      const { error, problem } = request
      return ok({
        problem,
        ...place,
        returnTo: answerAddress(request, baseUrl, { error, error_description: problem }),
      })
    }
    return ok({
      asks: {
        name: client.name,
        isVerified: isVerified(client, redirectUri),
        scopes: request.scopes,
        organizationIds: await listAllowingOrganizations(parley.db, signedIn, parley.clock()),
      },
      ...place,
      returnTo: answerAddress(request, baseUrl, { error: 'access_denied' }),
    })
  })

  people.acts(contract.connectAssistant, async ({ body, caller, parley }) => {
    // The connection outlives the session by up to months.
    requireFresh(caller, parley.clock())
    limits.challenges.count(caller.client)
    const request = await readAuthorizationRequest(parley, body.request)
    if ('error' in request) throw new Refusal('assistant_request_invalid', { text: request.problem })
    const code = await parley.db.writeAs(caller, (tx, permitted) =>
      connectAssistant(tx, parley, permitted, request, body),
    )
    return created({ returnTo: answerAddress(request, parley.config.baseUrl, { code }) })
  })

  people.account(contract.listAssistants, async ({ signedIn, parley: { db, clock } }) =>
    ok({ assistants: await listAssistants(db, signedIn, clock()) }),
  )

  people.account(contract.endAssistant, async ({ params, signedIn, transact }) => {
    await transact((open) => endOwnAssistant(open, signedIn, params.assistantId))
    return noContent()
  })
}
