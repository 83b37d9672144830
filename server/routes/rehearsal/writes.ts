import { setCommands } from '../../../contract/commands.ts'
import * as contract from '../../../contract/messages.ts'
import { tellWorking } from '../../../contract/presence.ts'
import { answerPrivately, withdrawPrivateAnswer } from '../../../contract/private-answers.ts'
import { setPrompts } from '../../../contract/prompts.ts'
import { askQuestion, withdrawQuestion } from '../../../contract/questions.ts'
import { addReaction, removeReaction } from '../../../contract/reactions.ts'
import * as streaming from '../../../contract/streaming.ts'
import { reportUsage } from '../../../contract/usage.ts'
import { refuseUnusable } from '../../actions/bots/commands.ts'
import * as said from '../../actions/rehearsals/messages.ts'
import { keep, requireRunning, requireShared } from '../../actions/rehearsals/sayings.ts'
import { addTokens, withdraw } from '../../actions/rehearsals/withdrawn.ts'
import { refusal } from '../../errors.ts'
import { created, noContent, ok } from '../../http/answers.ts'
import { dayOf, endOfDay } from '../../limits/bot-budgets.ts'
import { isTopicMember } from '../../queries/messages/messages.ts'
import type { RehearsalApi } from './api.ts'

/** Writes of a bot: each becomes a row of the rehearsal, and is answered as if it had been done. */
export function rehearsedWrites(api: RehearsalApi): void {
  api.writes(contract.sendMessage, async ({ tx, caller, body, key }) =>
    created(await said.say(tx, caller, body, key)),
  )
  api.writes(contract.editMessage, async ({ tx, caller, params, body }) =>
    ok(await said.edit(tx, caller, params.messageId, body)),
  )
  api.writes(contract.deleteMessage, async ({ tx, caller, params }) => {
    await said.unsay(tx, caller, params.messageId)
    return noContent()
  })
  api.writes(streaming.appendToMessage, async ({ tx, caller, params, body }) =>
    ok(await said.append(tx, caller, params.messageId, body)),
  )
  api.writes(streaming.setProgress, async ({ tx, caller, params, body }) => {
    await said.progress(tx, caller, params.messageId, body)
    return noContent()
  })
  api.writes(streaming.finishMessage, async ({ tx, caller, params, body }) =>
    ok(await said.finish(tx, caller, params.messageId, body)),
  )
  api.writes(addReaction, async ({ tx, caller, params, body, key }) =>
    created(await said.react(tx, caller, params.messageId, body.reaction, key)),
  )
  api.writes(removeReaction, async ({ tx, caller, params }) => {
    if (!(await withdraw(tx, caller, { kind: 'reaction', ...params, id: params.reactionId })))
      throw refusal('reaction_not_found')
    return noContent()
  })
  api.writes(answerPrivately, async ({ tx, caller, params, body }) => {
    await said.sayPrivately(tx, caller, params, body.text)
    return noContent()
  })
  api.writes(withdrawPrivateAnswer, async ({ tx, caller, params }) => {
    await said.requireHeard(tx, caller, params.messageId)
    if (!(await withdraw(tx, caller, { kind: 'private', ...params })))
      throw refusal('private_answer_not_found')
    return noContent()
  })
  api.writes(askQuestion, async ({ tx, caller, body, key }) =>
    created(await said.ask(tx, caller, body, body.key ?? key)),
  )
  api.writes(withdrawQuestion, async () => noContent()) // it was over as it was asked

  // Marks that a message was seen, and that the bot is working, are nothing to compare.
  api.writes(contract.markDelivered, async ({ tx, caller, params }) => {
    const { id: messageId } = await said.requireHeard(tx, caller, params.messageId)
    return ok({ messageId, deliveredAt: tx.now() })
  })
  api.writes(contract.markRead, async ({ tx, caller, params }) => {
    const { id: messageId } = await said.requireHeard(tx, caller, params.messageId)
    return ok({ messageId, readAt: tx.now() })
  })
  api.writes(tellWorking, async ({ tx, caller, params: { topicId } }) => {
    if (!(await isTopicMember(caller, tx, topicId))) throw refusal('topic_not_found')
    await requireShared(caller, tx, topicId)
    await requireRunning(tx, caller)
    return noContent()
  })

  api.writes(setCommands, async ({ tx, caller, body: { commands } }) => {
    refuseUnusable(commands)
    await keep(tx, caller, { kind: 'commands', text: commands.map(({ name }) => `/${name}`).join(' ') })
    return ok({
      commands: commands.map(({ arguments: taken = [], ...command }) => ({ ...command, arguments: taken })),
    })
  })
  api.writes(setPrompts, async ({ tx, caller, body: { prompts } }) => {
    await keep(tx, caller, { kind: 'prompts', text: prompts.join('\n') })
    return ok({ prompts })
  })
  api.writes(reportUsage, async ({ tx, caller, body: { tokens } }) => {
    const all = await addTokens(tx, caller, tokens)
    return ok({ messages: 0, tokens: all, endsAt: endOfDay(dayOf(tx.now())) })
  })
}
