import type { Agent } from 'undici'
import type { Config } from '../config.ts'
import type { Queryable } from '../db/database.ts'
import { checkWebhookUrl, type GuardOptions, openGuardedAgent } from '../network/guard.ts'
import { readWebhookReach } from '../queries/bots/webhook-reach.ts'

const MAX_JUDGED = 1000

/** A way out for webhooks. Its connections are shared only by those who may reach the same networks. */
export class WayOut {
  readonly agent: Agent
  readonly #config: Pick<Config, 'baseUrl'>
  readonly #networks: readonly string[]
  readonly #judged = new Map<string, string | undefined>()

  constructor(config: Pick<Config, 'baseUrl'>, networks: readonly string[], options: GuardOptions) {
    this.#config = config
    this.#networks = networks
    this.agent = openGuardedAgent(networks, options)
  }

  /** The settings by which an address is judged do not change while the server runs. */
  mistakeIn(url: string): string | undefined {
    if (this.#judged.size >= MAX_JUDGED) this.#judged.clear()
    if (!this.#judged.has(url))
      this.#judged.set(url, checkWebhookUrl(this.#config, this.#networks, url)?.message)
    return this.#judged.get(url)
  }
}

/** Ways out for the webhooks of all organizations: to the public internet, and to the networks that the operator opened as well. */
export class WaysOut {
  readonly #config: Config
  readonly #outside: WayOut
  readonly #inside: WayOut

  constructor(config: Config, options: GuardOptions) {
    this.#config = config
    this.#outside = new WayOut(config, [], options)
    this.#inside = new WayOut(config, config.webhookAllowedNetworks, options)
  }

  async read(db: Queryable): Promise<(orgId: string) => WayOut> {
    const reach = await readWebhookReach(db, this.#config)
    return (orgId) => (reach(orgId).length > 0 ? this.#inside : this.#outside)
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#outside.agent.destroy(), this.#inside.agent.destroy()])
  }
}
