import { setFlagsFromString } from 'node:v8'

/**
 * Fits V8 to a process that shares its cores with PostgreSQL. A release of V8 without one of the
 * flags prints a line and continues.
 */
export function setEngineFlags(): void {
  // Lets the heap grow to 1.3 times what is alive before the next full collection. V8 allows a
  // small heap four times, so an import of 10,000 rows took 300 MB of garbage before the first one.
  setFlagsFromString('--heap-growing-percent=30')
  // Optimizes a function after four times as many calls. In the minutes after a start, compilers in
  // the background took a fifth of the processor time of an import.
  setFlagsFromString('--interrupt-budget=300000')
}
