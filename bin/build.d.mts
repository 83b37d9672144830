export function buildIfStale(): Promise<string>
