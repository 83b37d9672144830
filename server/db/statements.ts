/** Comments, texts, names and bodies of functions, whose semicolons end nothing; a semicolon that ends a statement; other text. */
const PIECE = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|;|[^-/'"$;]+|[\s\S]/g
const COMMENT = /^(--|\/\*)/

/**
 * Splits a script into statements: Citus passes a change of a table to its workers as text, and they take one statement
 * at a time. The text after the last semicolon is a statement too, unless it is a comment.
 */
export function statementsOf(script: string): string[] {
  const statements: string[] = []
  const pieces: string[] = []
  for (const [piece] of script.matchAll(PIECE)) {
    if (piece === ';') statements.push(pieces.splice(0).join(''))
    else pieces.push(piece)
  }
  const isOpen = pieces.some((piece) => !COMMENT.test(piece) && piece.trim() !== '')
  return isOpen ? [...statements, pieces.join('')] : statements
}
