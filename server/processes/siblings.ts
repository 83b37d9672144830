/** The processes that answer requests on one port, as one of them sees the others. */
export class Siblings {
  /** The number of this process, from 1; undefined if it is the only one. */
  number: number | undefined
  /** Writes the metrics of this process alone. */
  ownMetrics: () => Promise<string> = async () => ''
  /** Returns the metrics of each other process that answers. */
  otherMetrics: () => Promise<string[]> = async () => []
}
