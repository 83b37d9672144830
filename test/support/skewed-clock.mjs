// Preloaded into a server process (NODE_OPTIONS=--import=…) to give it a wrong clock: CLOCK_AHEAD_MS, which may be negative.
const ahead = Number(process.env.CLOCK_AHEAD_MS)
const RealDate = Date

globalThis.Date = class SkewedDate extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead)
    else super(...given)
  }

  static now() {
    return RealDate.now() + ahead
  }
}
