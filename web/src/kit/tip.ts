/** Attributes that give an element a tooltip: its words, and the key that does the same. */
export const tip = (text: string | undefined, keys?: string | undefined) => ({
  'data-tip': text,
  'data-tip-keys': keys,
})
