/** Writes the library as one file, and its types beside it. */
export function buildLibrary(file?: string): Promise<void>
/** Writes what the npm package holds. */
export function buildPackage(folder?: string): Promise<void>
/** Writes the Python library as an archive. */
export function packPython(file: string): void
