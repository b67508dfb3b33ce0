import type { EventToRestore } from '../event-log.ts'

/** By default a server accepts 1 MiB in one append. */
const maxAppendBytes = 900_000
const maxAppendEvents = 500

/** Consecutive events of one stream that share an append. */
export interface AppendRun {
  readonly stream: string
  /** The revision of the first event. */
  readonly revision: number
  readonly events: readonly EventToRestore[]
  /** Approximate size of data and metadata. */
  readonly bytes: number
}

/** Groups the events within the limits of one append. Their order stays. */
export function* appendRuns(events: readonly EventToRestore[]): Generator<AppendRun> {
  let run: EventToRestore[] = []
  let bytes = 0
  for (const event of events) {
    const size = sizeOf(event)
    const last = run.at(-1)
    const isNext =
      last !== undefined && last.stream === event.stream && last.revision + 1 === event.revision
    const isFull = run.length === maxAppendEvents || bytes + size > maxAppendBytes
    if (!isNext || isFull) {
      yield* complete(run, bytes)
      run = []
      bytes = 0
    }
    run.push(event)
    bytes += size
  }
  yield* complete(run, bytes)
}

function* complete(events: readonly EventToRestore[], bytes: number): Generator<AppendRun> {
  const [first] = events
  if (first !== undefined) yield { stream: first.stream, revision: first.revision, events, bytes }
}

function sizeOf({ type, data, metadata }: EventToRestore): number {
  return (
    Buffer.byteLength(JSON.stringify(data)) +
    Buffer.byteLength(JSON.stringify(metadata)) +
    2 * type.length
  )
}
