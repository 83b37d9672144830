/**
 * Folds case so that what reads the same compares the same: 'Straße' and 'STRASSE' are one name. Upper case may take
 * a character apart ('ΐ'), so it is put together again at the end.
 */
export function caseKey(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}
