import { type RotationState, readRotationState, rotateSecretKey } from '../../keys/rotation.ts'
import { type CommandOutput, command } from '../command.ts'
import { withInstallation } from '../installation.ts'

export const rotate = command({}, () =>
  withInstallation('secret-key rotate', async ({ db, config, secrets }) =>
    describe(await rotateSecretKey({ db, config, secrets, clock: Date.now }), config.secretKey !== undefined),
  ),
)

export const status = command({}, () =>
  withInstallation('secret-key status', async ({ db, config, secrets }) =>
    describe(await readRotationState({ db, secrets }), config.secretKey !== undefined),
  ),
)

function describe(state: RotationState, isInEnvironment: boolean): CommandOutput {
  return { json: state, lines: [sentence(state), ...whatNext(state, isInEnvironment)] }
}

function sentence({ state, fingerprint, remaining }: RotationState): string {
  if (state === 'none') return `The secret key ${fingerprint} was never replaced.`
  if (state === 'finished') return `The secret key ${fingerprint} has replaced the former one.`
  if (state === 'waiting') return `Everything is encrypted with the new secret key ${fingerprint}.`
  return `The secret key ${fingerprint} is in use; ${remaining} values still wait to be encrypted with it.`
}

function whatNext({ state, formerUntil }: RotationState, isInEnvironment: boolean): string[] {
  if (state === 'finished')
    return isInEnvironment
      ? ['SECRET_KEY_PREVIOUS is not needed any more; take it out of the environment.']
      : []
  if (state === 'none') return []
  const until = new Date(formerUntil ?? 0).toISOString()
  return [
    `What the former key has signed works until ${until}; a running server then lets it go by itself.`,
    ...(state === 're-encrypting' ? ['A running server goes on with it; so does this command.'] : []),
    'Keep the former key with backups that were made before today: they cannot be read without it.',
  ]
}
