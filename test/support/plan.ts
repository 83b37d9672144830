/** A node of a plan from `explain (analyze, buffers, format json)`. */
export type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Plan[]
}

/** Rows that went through a plan, or through its scans of one table. */
export function rowsTouched(plan: Plan, table?: string): number {
  const isCounted = table === undefined || plan['Relation Name'] === table
  const rows = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
  const below = (plan.Plans ?? []).reduce((sum, inner) => sum + rowsTouched(inner, table), 0)
  return below + (isCounted ? rows : 0)
}
