import * as contract from '../../../../contract/people/emoji.ts'
import { addCustomEmoji, removeCustomEmoji } from '../../../actions/organization/custom-emoji.ts'
import { storePicture } from '../../../files/receive.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import { onlyAsForm, type PeopleApi } from '../../../http/people-api.ts'
import { listShownEmoji } from '../../../queries/organization/custom-emoji.ts'

/** Serves the custom emoji of an organization. */
export function emojiRoutes(people: PeopleApi): void {
  people.reads(contract.listCustomEmoji, async ({ caller, db }) =>
    ok({ emoji: await listShownEmoji(caller, db) }),
  )

  people.writes(contract.addCustomEmoji, onlyAsForm, {
    prepare: async ({ caller, files: [picture], parley }) => {
      const stored = await storePicture(parley, caller.orgId, 'emoji', picture)
      return { fileId: stored[0]?.id, stored }
    },
    handler: async ({ caller, tx, meta, prepared: { fileId } }) => {
      if (fileId === undefined) throw new Error('the picture could not be stored')
      return created(await addCustomEmoji(tx, caller, { name: meta.name, fileId }))
    },
  })

  people.writes(contract.removeCustomEmoji, async ({ caller, tx, params }) => {
    await removeCustomEmoji(tx, caller, params.emojiName)
    return noContent()
  })
}
