/** The time of the processor that this process has used, in milliseconds: other programs of the machine do not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** How long the processor works on something, in milliseconds. */
export function workOf(work: () => unknown): number {
  const began = processorMs()
  work()
  return processorMs() - began
}

/** The longest work during which nothing else of this process had its turn, in milliseconds of the processor. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = processorMs()
  const look = () => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  return longest
}
