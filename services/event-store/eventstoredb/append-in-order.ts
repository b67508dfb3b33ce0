import { StartupError } from '#services/foundation/startup-error'
import { WrongExpectedRevision } from '../errors.ts'
import type { EventStore, Position } from '../event-store.ts'
import type { AppendRun } from './append-runs.ts'
import { comparePositions } from './positions.ts'

export interface OrderedAppends {
  /** Retries while the server does not answer. */
  readonly append: EventStore['append']
  /** One attempt. Calls that are made one after the other reach the server in this order. */
  readonly appendOnce: EventStore['append']
}

/** The appends that may wait for the server's answer. Twice as many were not faster. */
const maxInFlight = 256
const maxBytesInFlight = 2_000_000
/**
 * A larger append is sent when no other is in flight, in bytes. If the server's limit refuses it,
 * no later event is in the log, and the command can be repeated with a larger limit.
 */
const largeAppend = 100_000

/**
 * Appends the runs in their order, many in flight at once. A server writes the appends of one
 * connection in the order in which it receives them, and drops the rest when the connection breaks.
 * So the log has the first runs, without a gap, at any time.
 *
 * The first run, and the first one without success, is sent alone: a server that becomes ready may
 * refuse one append and accept the next one. A repeated append writes nothing and has the position
 * of the first one, so the positions prove the order.
 * @throws StartupError if another process writes to the log, or if the order differs
 */
export async function appendInOrder(log: OrderedAppends, runs: readonly AppendRun[]) {
  const written = createOrderCheck()
  for (let next = 0; next < runs.length;) {
    const run = runs[next]
    if (run === undefined) return
    written(run, await send(log.append, run))
    next = await appendInFlight(log, runs, next + 1, written)
  }
}

/** Returns the index of the first run that has no answer, or the number of runs. */
async function appendInFlight(
  { appendOnce }: OrderedAppends,
  runs: readonly AppendRun[],
  first: number,
  written: (run: AppendRun, position: Position) => void,
): Promise<number> {
  /** The answers of runs `oldest` to `next - 1`. */
  const inFlight: { readonly weight: number; readonly answer: Promise<Position | null> }[] = []
  let [oldest, next, bytes] = [first, first, 0]
  for (;;) {
    const run = runs[next]
    const weight = run === undefined ? 0 : weightOf(run)
    const isFull = inFlight.length === maxInFlight || bytes + weight > maxBytesInFlight
    if (run !== undefined && !isFull) {
      // The append that is sent alone reports the failure.
      inFlight.push({ weight, answer: send(appendOnce, run).catch(() => null) })
      bytes += weight
      next += 1
      continue
    }
    const [sent, acknowledged] = [inFlight.shift(), runs[oldest]]
    if (sent === undefined || acknowledged === undefined) return oldest
    const position = await sent.answer
    if (position === null) {
      await Promise.all(inFlight.map(({ answer }) => answer))
      return oldest
    }
    written(acknowledged, position)
    bytes -= sent.weight
    oldest += 1
  }
}

function weightOf({ bytes }: AppendRun): number {
  return bytes > largeAppend ? maxBytesInFlight : bytes
}

async function send(
  append: EventStore['append'],
  { stream, revision, events }: AppendRun,
): Promise<Position> {
  try {
    const result = await append(
      stream,
      revision === 0 ? 'no-stream' : revision - 1,
      events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata })),
    )
    return result.position
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error
    throw new StartupError(
      `The log has other events in '${stream}' already: the log was not empty, or the product runs on it. Stop the product and begin with an empty log.`,
    )
  }
}

function createOrderCheck(): (run: AppendRun, position: Position) => void {
  let last: Position | null = null
  return ({ stream, revision }, position) => {
    if (last !== null && comparePositions(last, position) >= 0)
      throw new StartupError(
        `The server wrote revision ${revision} of '${stream}' before an earlier event: the order in the log differs from the source. Begin again with an empty log.`,
      )
    last = position
  }
}
