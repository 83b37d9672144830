/** Builds the adapter and its types into a folder. */
export function buildAdapter(folder: string): Promise<void>
