import { LIMITS } from '../../../contract/limits.ts'
import type { Location } from '../../../contract/message.ts'
import { MessageWriter } from '../../actions/messages/message-writer.ts'
import { sendContact, sendLocation } from '../../actions/messages/messages.ts'
import type { Caller } from '../../caller.ts'
import { REVIEWED } from '../../text-check.ts'
import { command, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

export const send = command(
  {
    org: required(values.organizationId, 'The organization'),
    topic: required(values.topicId, 'The topic'),
    from: required(values.profileId, 'Who sends it; must be in the topic'),
    text: optional(values.text(LIMITS.messageText), 'A text message'),
    location: optional(values.location, 'A place, in degrees'),
    contact: optional(values.text(LIMITS.profileName, 'NAME'), 'A contact of this name'),
    file: optional(values.text(4096, 'PATH'), 'A file, with --text as its caption'),
  },
  async ({ org, topic: topicId, from, text, location, contact, file }) => {
    const said = [file ?? text, location, contact].filter((part) => part !== undefined)
    if (said.length !== 1) {
      throw new UsageError('Say one thing: --text TEXT, --file PATH, --location LAT,LONG or --contact NAME.')
    }
    return withInstallation('message send', async (installation) => {
      await findOrganization(installation.db, org)
      const sender = { orgId: org, profileId: from }
      if (file !== undefined) {
        const { sendFile } = await import('../files.ts')
        const { id } = await sendFile(installation, sender, { topicId, caption: text, file })
        const when = installation.serverRuns ? 'It appears in a moment.' : 'It appears when the server runs.'
        return { json: { messageId: id }, lines: [`Accepted. ${when}`, '', ...columns([['Message', id]])] }
      }
      const { id } = await say(installation, sender, { topicId, text, location, contact })
      return { json: { messageId: id }, lines: ['Sent.', '', ...columns([['Message', id]])] }
    })
  },
)

type Said = {
  topicId: string
  text: string | undefined
  location: Location | undefined
  contact: string | undefined
}

/** Operators answer for what they say: no program is asked about it. */
async function say(
  { db, secrets }: Installation,
  sender: Caller,
  { topicId, text, location, contact }: Said,
): Promise<{ id: string }> {
  if (location)
    return db.write(sender.orgId, (tx) => sendLocation(tx, sender, { topicId }, location), REVIEWED)
  if (contact !== undefined)
    return db.write(sender.orgId, (tx) => sendContact(tx, sender, { topicId }, { name: contact }), REVIEWED)
  return new MessageWriter(db, secrets, { limit: 1 }).sendNow(sender, { topicId, text: text ?? '' })
}
