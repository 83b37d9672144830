/** Gives an element a tooltip with the exact time, which is formatted when the tooltip opens. */
export const tipAt = (at: number) => ({ 'data-tip-at': at })

/** Attributes that give an element a tooltip: its words, and the key that does the same. */
export const tip = (text: string | undefined, keys?: string | undefined) => ({
  'data-tip': text,
  'data-tip-keys': keys,
})
