import { pauseOrResume, removeBot, replaceKey, requireBot } from '../../actions/bots/bot-settings.ts'
import { activateBot, deactivateBot, revokeTokens, rotateSecret } from '../../actions/bots/bots.ts'
import { type Audited, audit, OPERATOR } from '../../actions/organization/audit.ts'
import type { Transaction } from '../../db/transaction.ts'
import { OperatorError } from '../../errors.ts'
import { command, required } from '../command.ts'
import { type BotSettingsRow, findBot } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns, SHOWN_ONCE } from '../output.ts'
import * as values from '../values.ts'

const options = { bot: required(values.botId, 'The bot') }

export const rotate = command(options, ({ bot: botId }) =>
  withInstallation('bot rotate-secret', async ({ db, secrets }) => {
    const { orgId, name, credential } = await findBot(db, botId)
    const secret = await db.write(orgId, async (tx) => {
      const rotated = await rotateSecret(tx, secrets, botId)
      await tell(tx, { action: 'bot.secret_rotated', id: botId, name })
      return rotated
    })
    const [key, label] =
      credential === 'oauth'
        ? (['clientSecret', 'Client secret'] as const)
        : (['apiSecret', 'API secret'] as const)
    return {
      json: { botId, [key]: secret },
      lines: [
        `The bot "${name}" has a new secret; the one before is no longer accepted.`,
        '',
        ...columns([
          ['Bot', botId],
          [label, secret],
        ]),
        '',
        SHOWN_ONCE,
      ],
    }
  }),
)

export const replace = command(options, ({ bot: botId }) =>
  withInstallation('bot replace-key', async ({ db, secrets }) => {
    const { orgId, name, credential } = await findBot(db, botId)
    if (credential === 'oauth') {
      throw new OperatorError(
        `The bot "${name}" has no API key. \`parley bot rotate-secret\` gives it a new client secret.`,
      )
    }
    const { apiKey, apiSecret } = await db.write(orgId, (tx) => replaceKey(tx, { secrets }, OPERATOR, botId))
    return {
      json: { botId, apiKey, apiSecret },
      lines: [
        `The bot "${name}" has a new key and a new secret; the ones before are no longer accepted.`,
        '',
        ...columns([
          ['Bot', botId],
          ['API key', apiKey],
          ['API secret', apiSecret],
        ]),
        '',
        SHOWN_ONCE,
      ],
    }
  }),
)

export const remove = command(options, ({ bot: botId }) =>
  withInstallation('bot delete', async ({ db }) => {
    const { orgId, name } = await findBot(db, botId)
    await db.write(orgId, (tx) => removeBot(tx, OPERATOR, botId))
    return {
      json: { botId },
      lines: [`The bot "${name}" is deleted. What it wrote stays under its name.`],
    }
  }),
)

export const revoke = command(options, ({ bot: botId }) =>
  withInstallation('bot revoke-tokens', async ({ db }) => {
    const { orgId, name, credential } = await findBot(db, botId)
    if (credential === 'static') {
      throw new OperatorError(
        `The bot "${name}" has a static key and no tokens. \`parley bot rotate-secret\` makes its present secret invalid.`,
      )
    }
    await db.write(orgId, async (tx) => {
      await revokeTokens(tx, botId)
      await tell(tx, {
        action: 'bot.changed',
        id: botId,
        name,
        changes: [{ field: 'tokens', to: 'revoked' }],
      })
    })
    return {
      json: { botId },
      lines: [`All access tokens of the bot "${name}" so far are invalid; it can ask for new ones.`],
    }
  }),
)

export const deactivate = command(options, ({ bot }) =>
  change('bot deactivate', bot, deactivateBot, { active: false }, 'is shut out until it is activated again'),
)

export const activate = command(options, ({ bot }) =>
  change(
    'bot activate',
    bot,
    activateBot,
    { active: true },
    'is active. It needs new access tokens, if it uses them',
  ),
)

export const pause = command(options, ({ bot }) =>
  setPaused('bot pause', bot, true, 'is paused: it does nothing and hears nothing until it is resumed'),
)

export const resume = command(options, ({ bot }) =>
  setPaused('bot resume', bot, false, 'goes on with what it missed'),
)

function setPaused(name: string, botId: string, paused: boolean, sentence: string) {
  return withInstallation(name, async ({ db }) => {
    const bot = await findBot(db, botId)
    await db.write(bot.orgId, async (tx) =>
      pauseOrResume(tx, OPERATOR, await requireBot(tx, tx, botId), paused),
    )
    return { json: { botId, paused }, lines: [`The bot "${bot.name}" ${sentence}.`] }
  })
}

function change(
  name: string,
  botId: string,
  action: (tx: Transaction, botId: string) => Promise<void>,
  state: Pick<BotSettingsRow, 'active'>,
  sentence: string,
) {
  return withInstallation(name, async ({ db }) => {
    const bot = await findBot(db, botId)
    await db.write(bot.orgId, async (tx) => {
      await action(tx, botId)
      if (bot.active === state.active) return
      const told = state.active ? 'bot.activated' : 'bot.deactivated'
      await tell(tx, { action: told, id: botId, name: bot.name })
    })
    return { json: { botId, ...state }, lines: [`The bot "${bot.name}" ${sentence}.`] }
  })
}

type Told = Pick<Audited, 'action' | 'changes'> & { id: string; name: string }

const tell = (tx: Transaction, { action, id, name, changes = [] }: Told): Promise<void> =>
  audit(tx, OPERATOR, { action, target: { type: 'bot', id, name }, changes })
