/** How deep quotes and lists, or emphasis, may stand in each other. People reach 4. */
export const MAX_DEPTH = 16

/** The text is deeper or has more parts than what people write. */
export class TooCostly extends Error {}

/** Counts the parts of a text while its tree is made, before anything is drawn. */
export class NodeBudget {
  #left: number

  constructor(nodes: number) {
    this.#left = nodes
  }

  spend(): void {
    this.demand(1)
    this.#left -= 1
  }

  /** Refuses what will take more than is left. */
  demand(nodes: number): void {
    if (nodes > this.#left) throw new TooCostly()
  }
}

/** Returns the depth below `depth`. */
export function deeper(depth: number): number {
  if (depth === MAX_DEPTH) throw new TooCostly()
  return depth + 1
}
