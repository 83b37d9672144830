/**
 * Characters that no name may hold: control characters, line and paragraph separators, overrides and isolates of the
 * writing direction, and format characters that show nothing. Joiners (U+200C, U+200D), direction marks and variation
 * selectors stay: scripts and emoji need them. Tags (U+E0000 and on) are what regional flags are made of, and hidden text
 * elsewhere.
 */
export const NOT_IN_NAMES =
  // Characters above U+FFFF are in the pattern themselves: not every reader of OpenAPI knows escapes for them.
  String.raw`\u0000-\u001f\u007f-\u009f\u00ad\u200b\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb` +
  '\u{e0000}-\u{e007f}'
/** `gbeng` and the like behind a black flag, closed by U+E007F. */
const REGIONAL_FLAG = '\u{1f3f4}[\u{e0030}-\u{e007a}]{3,6}\u{e007f}'
export const NAME_PATTERN = `^(?:[^${NOT_IN_NAMES}]|${REGIONAL_FLAG})*$`

export const noControlCharacters = (field: string): string => `${field} may not contain control characters`
