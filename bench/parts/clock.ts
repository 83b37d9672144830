/** The time of day with fractions of a millisecond: comparable between processes of one machine. */
export const wallClock = (): number => performance.timeOrigin + performance.now()
