import type { Random } from '../../../scripts/billing/demo/random.ts'

/** What goes wrong. Times are milliseconds. */
export type Fault =
  | { readonly kind: 'kill-product'; readonly process: number }
  /** The process is stopped (SIGSTOP), as on a host without processor time. */
  | { readonly kind: 'freeze-product'; readonly process: number; readonly forMs: number }
  | { readonly kind: 'cut-customers' }
  | { readonly kind: 'kill-database' }
  | { readonly kind: 'cut-database'; readonly forMs: number }
  | { readonly kind: 'freeze-database'; readonly forMs: number }
  /** The disk of the database has no free block. */
  | { readonly kind: 'fill-disk'; readonly forMs: number }
  /** The database refuses to write to this table, with the error of a full disk. */
  | { readonly kind: 'refuse-writes'; readonly table: WrittenTable; readonly forMs: number }
  | { readonly kind: 'kill-provider' }
  | { readonly kind: 'freeze-provider'; readonly forMs: number }
  /** Calls of the provider fail at this rate. Half of the failed calls take effect. */
  | { readonly kind: 'fail-provider-calls'; readonly rate: number; readonly forMs: number }
  | {
      readonly kind: 'disturb-webhooks'
      readonly duplicate: number
      readonly reorder: number
      readonly drop: number
      readonly forMs: number
    }
  | { readonly kind: 'refuse-mails'; readonly forMs: number }
  | { readonly kind: 'cut-mails'; readonly forMs: number }
  /** The system's time of a process moves, and moves back. */
  | {
      readonly kind: 'jump-clock'
      readonly process: number
      readonly minutes: number
      readonly forMs: number
    }

export type FaultKind = Fault['kind']

/** A fault, and the time between the start of the fault before it and its own. */
export interface PlannedFault {
  readonly fault: Fault
  readonly afterMs: number
}

const tables = [
  'log.event',
  'app.outbox',
  'app.customer_session',
  'app.sign_in_code',
  'app.personal_key',
  'app.reactor_checkpoint',
  'projection.checkpoint',
  // The table of this read model's release.
  'users.users',
  'purchases.payment',
] as const
export type WrittenTable = (typeof tables)[number]

/**
 * Relative frequencies. A kill costs a start of 3 s of processor time and a frozen database stops
 * every customer, so they are rarer.
 */
const weights: Readonly<Record<FaultKind, number>> = {
  'kill-product': 2,
  'freeze-product': 4,
  'cut-customers': 7,
  'kill-database': 1,
  'cut-database': 10,
  'freeze-database': 4,
  'fill-disk': 3,
  'refuse-writes': 8,
  'kill-provider': 1,
  'freeze-provider': 4,
  'fail-provider-calls': 13,
  'disturb-webhooks': 24,
  'refuse-mails': 8,
  'cut-mails': 8,
  'jump-clock': 3,
}

export const faultKinds = Object.keys(weights) as readonly FaultKind[]

/**
 * The faults of a run: the same arguments give the same faults. Every kind occurs, if there are at
 * least as many faults as kinds.
 */
export function planFaults(count: number, processes: number, random: Random): PlannedFault[] {
  const bag = faultKinds.flatMap((kind) => Array.from({ length: weights[kind] }, () => kind))
  return Array.from({ length: count }, (_, index) => ({
    fault: faultOf(faultKinds[index] ?? random.pick(bag), processes, random),
    afterMs: Math.round(random.between(5, 150)),
  }))
}

/** A planned fault in one line. */
export function describeFault({ fault, afterMs }: PlannedFault): string {
  const { kind, ...facts } = fault
  const values = Object.entries(facts).map(
    ([name, value]) => `${name}=${typeof value === 'number' ? Number(value.toFixed(3)) : value}`,
  )
  return [`+${afterMs}ms`, kind, ...values].join(' ')
}

function faultOf(kind: FaultKind, processes: number, random: Random): Fault {
  const process = Math.floor(random.between(0, processes))
  // Most faults are short, so that customers get work done between them.
  const forMs = Math.round(
    random.chance(0.8) ? random.between(30, 300) : random.between(300, 1_500),
  )
  switch (kind) {
    case 'kill-product':
      return { kind, process }
    case 'cut-customers':
    case 'kill-database':
    case 'kill-provider':
      return { kind }
    case 'freeze-product':
      return { kind, process, forMs }
    case 'cut-database':
    case 'freeze-database':
    case 'freeze-provider':
    case 'refuse-mails':
    case 'cut-mails':
      return { kind, forMs }
    case 'fill-disk':
      // Files grow by blocks: a shorter fault would meet few writes that need one.
      return { kind, forMs: 300 + forMs }
    case 'refuse-writes':
      return { kind, table: random.pick(tables), forMs }
    case 'fail-provider-calls':
      return { kind, rate: random.between(0.1, 0.8), forMs }
    case 'disturb-webhooks':
      return {
        kind,
        duplicate: random.between(0, 1),
        reorder: random.between(0, 1),
        drop: random.between(0, 0.6),
        forMs,
      }
    case 'jump-clock': {
      const minutes = Math.round(random.between(2, random.chance(0.5) ? 50 : 2_000))
      return { kind, process, minutes: random.chance(0.5) ? minutes : -minutes, forMs }
    }
    default:
      return kind satisfies never
  }
}
