/** Writes the library as one file. */
export function buildLibrary(file?: string): Promise<void>
