/** Writes all packages into a folder, and returns the names of the files. */
export function packAll(folder: string): Promise<string[]>
