import { Type } from 'typebox'
import { ProfileId } from '../common.ts'
import { peopleOperation } from '../operation.ts'
import { botExample, ConsoleBot } from './bots.ts'
import { InOrganization, ORGANIZATION } from './common.ts'
import { PICTURE_FORM_REFUSALS, pictureForm } from './profiles.ts'

const TAG = 'People: bots'
const PHOTO = `${ORGANIZATION}/bots/{botId}/photo` as const
const params = InOrganization({ botId: ProfileId('The bot') })

export const setBotPhoto = peopleOperation({
  id: 'setBotPhoto',
  method: 'POST',
  path: PHOTO,
  tag: TAG,
  summary: 'Set the photo of a bot',
  description: 'Everybody who sees the bot sees it.',
  access: 'admin',
  params,
  body: Type.Object({}),
  bodyExample: {},
  form: pictureForm('A photo: JPEG or PNG, cut to a square'),
  success: { 200: { description: 'The bot', schema: ConsoleBot, example: botExample } },
  refusals: [...PICTURE_FORM_REFUSALS, 'bot_not_found'],
})

export const removeBotPhoto = peopleOperation({
  id: 'removeBotPhoto',
  method: 'DELETE',
  path: PHOTO,
  tag: TAG,
  summary: 'Remove the photo of a bot',
  description: 'Without a photo, nothing changes.',
  access: 'admin',
  params,
  success: { 204: { description: 'There is none' } },
  refusals: ['bot_not_found'],
})
