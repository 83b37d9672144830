/** One piece of work: `lane` says what it must not overtake, `about` names the messages that it is about. */
export type Work = {
  lane: string
  about: readonly string[]
  run(): Promise<void>
}

export type Lanes = {
  /** Places work behind everything unfinished that is about the same messages, or else at the end of its lane. */
  add(work: Work): void
  /** Begins nothing more. What runs goes on. */
  stop(): void
  /** Number of pieces of work that wait or run. */
  readonly size: number
  /** Resolves once at most `size` pieces are left, or once nothing runs any more after `stop()`. */
  until(size: number): Promise<void>
}

/** Runs work side by side, at most `limit` at once, and in order within a lane. */
export function createLanes(limit: number): Lanes {
  /** The work of each lane; the first of it runs, or is ready to. */
  const lanes = new Map<string, Work[]>()
  /** The lane in which unfinished work about a message stands. */
  const places = new Map<string, { lane: string; count: number }>()
  const ready: string[] = []
  let waiters: { size: number; resolve: () => void }[] = []
  let size = 0
  let running = 0
  let isStopped = false

  function begin(): void {
    while (!isStopped && running < limit) {
      const lane = ready.shift()
      const work = lane === undefined ? undefined : lanes.get(lane)?.[0]
      if (lane === undefined || !work) return
      running += 1
      void work
        .run()
        .catch(() => {}) // the work itself tells of its failures
        .finally(() => end(lane, work))
    }
  }

  function end(lane: string, { about }: Work): void {
    running -= 1
    size -= 1
    for (const id of about) {
      const place = places.get(id)
      if (place) place.count -= 1
      if (place?.count === 0) places.delete(id)
    }
    const rest = lanes.get(lane) ?? []
    rest.shift()
    if (rest.length > 0) ready.push(lane)
    else lanes.delete(lane)
    begin()
    const isOver = isStopped && running === 0
    const [due, later] = [[...waiters], waiters.filter((waiter) => !isOver && size > waiter.size)]
    waiters = later
    for (const waiter of due) if (!later.includes(waiter)) waiter.resolve()
  }

  return {
    add(work) {
      const known = work.about.map((id) => places.get(id)).find((place) => place !== undefined)
      const lane = known?.lane ?? work.lane
      for (const id of work.about) {
        const place = places.get(id) ?? { lane, count: 0 }
        place.count += 1
        places.set(id, place)
      }
      size += 1
      const waiting = lanes.get(lane)
      if (waiting) waiting.push(work)
      else {
        lanes.set(lane, [work])
        ready.push(lane)
      }
      begin()
    },
    stop() {
      isStopped = true
    },
    get size() {
      return size
    },
    until(most) {
      if (size <= most || (isStopped && running === 0)) return Promise.resolve()
      return new Promise((resolve) => {
        waiters.push({ size: most, resolve })
      })
    },
  }
}
