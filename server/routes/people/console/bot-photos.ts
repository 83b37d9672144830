import * as contract from '../../../../contract/people/bot-photos.ts'
import { changeBotPhoto, requireBot } from '../../../actions/bots/bot-settings.ts'
import { actorOf } from '../../../actions/organization/audit.ts'
import { storePicture } from '../../../files/receive.ts'
import { noContent, ok } from '../../../http/answers.ts'
import { onlyAsForm, type PeopleApi } from '../../../http/people-api.ts'
import { presentBot } from '../../../presenters/bots.ts'

export function botPhotoRoutes(people: PeopleApi): void {
  people.writes(contract.setBotPhoto, onlyAsForm, {
    prepare: async ({ caller, files: [photo], parley }) => {
      const stored = await storePicture(parley, caller.orgId, 'cover', photo)
      return { fileId: stored[0]?.id, stored }
    },
    handler: async ({ caller, tx, params, prepared: { fileId } }) => {
      if (fileId === undefined) throw new Error('the photo could not be stored')
      await changeBotPhoto(tx, actorOf(caller), params.botId, fileId)
      return ok(presentBot(await requireBot(caller, tx, params.botId)))
    },
  })

  people.writes(contract.removeBotPhoto, async ({ caller, tx, params }) => {
    await changeBotPhoto(tx, actorOf(caller), params.botId, undefined)
    return noContent()
  })
}
