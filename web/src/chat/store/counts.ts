/** Equals `COUNTED_UNREAD` of the contract, which is not shipped to browsers. */
export const MAX_COUNT = 100
