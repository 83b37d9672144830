import { LIMITS } from '../../../contract/limits.ts'
import { sendContact, sendLocation, sendMessage } from '../../actions/messages.ts'
import { command, optional, required } from '../command.ts'
import { UsageError } from '../errors.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
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
  },
  async ({ org, topic: topicId, from, text, location, contact }) => {
    if ([text, location, contact].filter((part) => part !== undefined).length !== 1) {
      throw new UsageError('Say one thing: --text TEXT, --location LAT,LONG or --contact NAME.')
    }
    return withInstallation('message send', async ({ db }) => {
      await findOrganization(db, org)
      const sender = { orgId: org, profileId: from }
      const { id } = await db.write(org, (tx) => {
        if (location) return sendLocation(tx, sender, topicId, location)
        if (contact !== undefined) return sendContact(tx, sender, topicId, contact)
        return sendMessage(tx, sender, { topicId, text: text ?? '' })
      })
      return { json: { messageId: id }, lines: ['Sent.', '', ...columns([['Message', id]])] }
    })
  },
)
