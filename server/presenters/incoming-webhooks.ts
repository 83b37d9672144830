import type { IncomingCall, IncomingWebhook } from '../../contract/people/incoming-webhooks.ts'
import type { CallRow, IncomingWebhookRow } from '../queries/bots/incoming-webhooks.ts'

export const presentIncomingWebhook = ({
  template,
  formerUntil,
  lastCall,
  ...row
}: IncomingWebhookRow): IncomingWebhook => ({
  ...row,
  ...(template !== null && { template }),
  ...(formerUntil !== null && { formerUntil }),
  ...(lastCall && { lastCall: presentCall(lastCall) }),
})

export const presentCall = ({ source, event, reason, detail, messageId, ...row }: CallRow): IncomingCall => ({
  ...row,
  ...(source !== null && { source }),
  ...(event !== null && { event }),
  ...(reason !== null && { reason }),
  ...(detail !== null && { detail }),
  ...(messageId !== null && { messageId }),
})
