import pg from 'pg'

type Waiting = { id: string; topicId: string; text: string; createdAt: number; done(): void }

/** Rows that came while a commit was under way are written by the next one: the least that a durable server must do. */
export class GroupedInsert {
  readonly #client: pg.Client
  #waiting: Waiting[] = []
  #isWriting = false

  constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(databaseUrl: string): Promise<GroupedInsert> {
    const client = new pg.Client(databaseUrl)
    await client.connect()
    await client.query(
      'create table kept (id uuid primary key, topic_id uuid not null, text text not null, created_at bigint not null)',
    )
    return new GroupedInsert(client)
  }

  add(row: Waiting): void {
    this.#waiting.push(row)
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const rows = this.#waiting
      this.#waiting = []
      await this.#client.query({
        name: 'keep',
        text: 'insert into kept select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bigint[])',
        values: [
          rows.map(({ id }) => id),
          rows.map(({ topicId }) => topicId),
          rows.map(({ text }) => text),
          rows.map(({ createdAt }) => createdAt),
        ],
      })
      for (const { done } of rows) done()
    }
    this.#isWriting = false
  }
}
