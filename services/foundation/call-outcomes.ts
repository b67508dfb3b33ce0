/** Learns whether the calls of one service outside the product get an answer. */
export interface CallOutcomes {
  answered(): void
  failed(): void
}
