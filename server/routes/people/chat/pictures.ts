import type { FastifyInstance } from 'fastify'
import { PICTURE_PATH } from '../../../../contract/people/profiles.ts'
import { refusal } from '../../../errors.ts'
import { linkTarget } from '../../../files/links.ts'
import { admitToChat, limited, refuseForeign } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { attachmentId } from '../../../presenters/attachments.ts'
import { isVisiblePicture } from '../../../queries/members/profiles.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Below the lifetime of the link that it leads to, unless an operator has made that very short. */
const CACHED_SHARE = 0.5

/** Photos and covers by addresses that last: what a browser keeps of a member or topic names them. */
export function pictureRoutes(app: FastifyInstance, parley: Parley): void {
  const { db, links, config } = parley
  const path = PICTURE_PATH.replace(/\{(\w+)\}/g, ':$1')
  app.get<{ Params: { fileId: string } }>(path, async (request, reply) => {
    refuseForeign(request, config.baseUrl)
    const caller = await limited(await admitToChat(request, parley, { access: 'guest' }), reply, parley)
    const { fileId } = request.params
    if (!UUID.test(fileId) || !(await isVisiblePicture(caller, db, fileId)))
      throw refusal('picture_not_found')
    const seconds = Math.floor(config.linkSeconds * CACHED_SHARE)
    reply.header('Cache-Control', `private, max-age=${seconds}`)
    const link = links.for(caller)(linkTarget(attachmentId(fileId.toLowerCase()), 'picture.jpg'))
    return reply.redirect(link, 302)
  })
}
