/** Reads a command's options, or returns the exit code where there is nothing to run: help was asked for, or one is wrong. */
export function optionsOrExitCode<Options extends object>(
  read: () => Options | undefined,
  usage: string,
): Options | number {
  try {
    const options = read()
    if (options) return options
    console.log(usage)
    return 0
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`)
    return 2
  }
}
