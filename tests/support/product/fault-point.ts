/**
 * What fails. `pool`: the connections of requests to PostgreSQL. `log`: those of the event log in
 * PostgreSQL. `store`: the port of the event store.
 */
export type FaultyPart = 'pool' | 'log' | 'store'

/** Before the operation, or after it with the answer lost. */
type FaultMoment = 'before' | 'after'

export interface Fault {
  readonly parts: readonly FaultyPart[]
  readonly moment: FaultMoment
  /** Whether all later operations of the parts fail until `heal`. Otherwise the next succeeds. */
  readonly lasts: boolean
}

/** One fault at the n-th operation of some parts. */
export interface FaultPoint {
  /** `operation` is counted from 1, over all parts of the fault. */
  arm(fault: Fault, operation: number): void
  /** Whether the fault occurred since `arm`. */
  hasStruck(): boolean
  heal(): void
  /** Counts an operation. Null: the operation succeeds. */
  next(part: FaultyPart): FaultMoment | null
  /** The fault occurs now. */
  strike(): void
  /** Whether the part cannot be reached. */
  isAway(part: FaultyPart): boolean
  /** Calls `listener` when the fault occurs, if it concerns the part. */
  onStrike(part: FaultyPart, listener: () => void): void
}

export function createFaultPoint(): FaultPoint {
  let armed: (Fault & { readonly operation: number }) | null = null
  let count = 0
  let isStruck = false
  const listeners: { readonly part: FaultyPart; readonly listener: () => void }[] = []
  const concerns = (part: FaultyPart) => armed?.parts.includes(part) === true
  return {
    arm(fault, operation) {
      armed = { ...fault, operation }
      count = 0
      isStruck = false
    },
    hasStruck: () => isStruck,
    heal() {
      armed = null
    },
    next(part) {
      if (armed === null || !concerns(part)) return null
      if (isStruck) return armed.lasts ? 'before' : null
      count += 1
      return count === armed.operation ? armed.moment : null
    },
    strike() {
      isStruck = true
      for (const { part, listener } of listeners) if (concerns(part)) listener()
    },
    isAway: (part) => concerns(part) && isStruck && armed?.lasts === true,
    onStrike: (part, listener) => void listeners.push({ part, listener }),
  }
}
