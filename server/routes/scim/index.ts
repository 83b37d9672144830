import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '../../../contract/limits.ts'
import { resourceTypes, SCIM_PATH, schemas, serviceProviderConfig } from '../../../contract/scim.ts'
import { sendJson, sendPage } from './answers.ts'
import { scimGroupRoutes } from './groups.ts'
import { admitScim, answerScimError, baseOf, notFound, type ScimParts } from './request.ts'
import { scimUserRoutes } from './users.ts'

/** SCIM 2.0, by which identity providers manage people and org units: a scope of its own, with errors of its own. */
export function scimRoutes(app: FastifyInstance, parley: ScimParts): void {
  app.register(
    async (scope) => {
      scope.decorateRequest('scim', null)
      scope.setErrorHandler(answerScimError)
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('Cache-Control', 'no-store')
        request.scim = await admitScim(request, parley)
      })
      scope.addHook('onRoute', (route) => {
        route.bodyLimit = LIMITS.scimBodyBytes
      })
      scope.setNotFoundHandler(() => {
        throw notFound()
      })
      discoveryRoutes(scope, () => baseOf(parley))
      scimUserRoutes(scope, parley)
      scimGroupRoutes(scope, parley)
    },
    { prefix: SCIM_PATH },
  )
}

/** Routes that describe the server and its resources. */
function discoveryRoutes(app: FastifyInstance, base: () => string): void {
  app.get('/ServiceProviderConfig', async (_request, reply) =>
    sendJson(reply, 200, serviceProviderConfig(base())),
  )
  for (const [name, list] of Object.entries({ Schemas: schemas, ResourceTypes: resourceTypes })) {
    app.get(`/${name}`, async (_request, reply) => {
      const resources = list(base())
      return sendPage(reply, { total: resources.length, startIndex: 1, resources })
    })
    app.get(`/${name}/:id`, async (request: FastifyRequest, reply: FastifyReply) => {
      const { id }: { id?: string } = Object(request.params)
      const found = list(base()).find((one) => one.id.toLowerCase() === id?.toLowerCase())
      if (!found) throw notFound()
      return sendJson(reply, 200, found)
    })
  }
}
