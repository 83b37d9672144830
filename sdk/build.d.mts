/** Writes the library as one file. */
export function buildLibrary(file?: string): Promise<void>
/** Writes the Python library as an archive. */
export function packPython(file: string): void
