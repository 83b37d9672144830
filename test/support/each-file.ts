import fc from 'fast-check'
import { afterAll, inject } from 'vitest'
import { RULES_DATABASE } from './global-setup.ts'
import { watchPool } from './pool-rules.ts'
import { StatementRules, takeNewTexts } from './statement-rules.ts'
import { IS_THOROUGH } from './thorough.ts'

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

if (IS_THOROUGH) watchPool()
// A gate must not fail by chance. At night, each run draws other cases, and a failure names its seed.
else fc.configureGlobal({ seed: 1 })
