/** The last millisecond of a day that a date field names, where the browser is; null for none. */
export function endOfDay(date: string): number | null {
  if (date === '') return null
  const at = new Date(`${date}T23:59:59.999`).getTime()
  return Number.isFinite(at) ? at : null
}

/** The day of a time as a date field names it. */
export function dayOf(at: number | undefined): string {
  if (at === undefined) return ''
  const day = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
