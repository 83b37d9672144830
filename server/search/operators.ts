import { SEARCH_OPERATORS, SEARCHED_STATES, SEARCHED_THINGS } from '../../contract/search.ts'
import { refusal } from '../errors.ts'

export type Operator = (typeof SEARCH_OPERATORS)[number]

const OPERATORS: readonly string[] = SEARCH_OPERATORS
const THINGS: readonly string[] = SEARCHED_THINGS
const STATES: readonly string[] = SEARCHED_STATES

export const isOperator = (name: string): name is Operator => OPERATORS.includes(name)

/** A name of at least so many letters in front of a colon is meant as an operator; shorter ones only if they nearly are one. */
const MIN_NAME = 3
/** The text behind the colon of `https://…`, `C:\…`, `std::move` and `localhost:8080`. */
const NO_VALUE = /^(?:[/\\:]|\d+$)/

/** Refuses what was meant as an operator, and names the nearest one. In quotation marks it is searched for as it stands. */
export function refuseUnknown(name: string, value: string): void {
  const { nearest, distance } = nearestTo(name)
  if (distance > 1 && (name.length < MIN_NAME || NO_VALUE.test(value))) return
  throw refusal('search_operator_unknown', { nearest })
}

function nearestTo(name: string): { nearest: Operator; distance: number } {
  const ranked = SEARCH_OPERATORS.map((nearest) => ({ nearest, distance: editDistance(name, nearest) }))
  ranked.sort((one, other) => one.distance - other.distance)
  return ranked[0] ?? { nearest: 'from', distance: name.length }
}

/** How many letters have to be added, left out, changed or swapped with their neighbour. */
export function editDistance(one: string, other: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      const steps = [
        (row[j - 1] ?? 0) + 1,
        (last?.[j] ?? 0) + 1,
        (last?.[j - 1] ?? 0) + (isSame ? 0 : 1),
        ...(i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
          ? [(beforeLast?.[j - 2] ?? 0) + 1]
          : []),
      ]
      row.push(Math.min(...steps))
    }
    ;[beforeLast, last] = [last, row]
  }
  return last?.[other.length] ?? 0
}

export function thingOf(value: string): string {
  const thing = value.toLowerCase()
  if (!THINGS.includes(thing)) throw refusal('search_kind_unknown')
  return thing
}

export function stateOf(value: string): string {
  const state = value.toLowerCase()
  if (!STATES.includes(state)) throw refusal('search_state_unknown')
  return state
}
