import { afterAll, inject } from 'vitest'
import { RULES_DATABASE } from './global-setup.ts'
import { takeNestedUses } from './pool-rules.ts'
import { StatementRules, takeNewTexts } from './statement-rules.ts'

/** Refuses statements of the server that leave their organization. Each worker looks at a statement once. */
afterAll(async () => {
  const fresh = takeNewTexts()
  if (fresh.length === 0) return
  const rules = await StatementRules.open({ ...inject('postgres'), database: RULES_DATABASE })
  const refusals: string[] = []
  try {
    for (const text of fresh) {
      const refusal = await rules.refusal(text)
      if (refusal) refusals.push(refusal)
    }
  } finally {
    await rules.close()
  }
  if (refusals.length > 0) throw new Error(refusals.join('\n\n'))
})

/** Refuses code that waits for a second connection while it holds one: as many calls at once as there are connections would wait for ever. */
afterAll(() => {
  const uses = takeNestedUses()
  if (uses.length > 0) throw new Error(`the pool is asked inside of a transaction:\n${uses.join('\n\n')}`)
})
