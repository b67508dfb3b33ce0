import { createWorkGate, GateIsFull } from '#services/foundation/work-gate'
import { HttpError } from '#services/http/http-error'
import type { ReportReader } from './report-reader.ts'

/**
 * A replay uses a core for seconds to minutes, so one runs at a time in this process. A view of the
 * Reports page makes 7 calls with figures at once.
 */
const limits = { atOnce: 1, waiting: 14 }

/**
 * Lets one call of `reader` run at a time, a file until its last row is taken. The others wait in
 * order. Beyond the queue, calls reject with HttpError 503.
 */
export function createGatedReader(
  reader: ReportReader,
  { atOnce, waiting } = limits,
): ReportReader {
  const gate = createWorkGate({ atOnce, waiting })

  async function turn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    try {
      return await gate.run(() => {
        // The client can disconnect while its call waits.
        signal.throwIfAborted()
        return work()
      })
    } catch (error) {
      if (!(error instanceof GateIsFull)) throw error
      throw new HttpError(
        503,
        'Too many reports are being computed from the log. Please try again in a moment.',
        { retryAfterSeconds: 10, cause: error },
      )
    }
  }

  return {
    report(name, parameters, request) {
      const file = reader.report(name, parameters, request)
      return {
        ...file,
        async *rows() {
          const end = await held((work) => turn(request.signal, work))
          try {
            yield* file.rows()
          } finally {
            end()
          }
        },
      }
    },
    explain: (figure, parameters, asked, signal) =>
      turn(signal, () => reader.explain(figure, parameters, asked, signal)),
    state: (signal) => turn(signal, () => reader.state(signal)),
  }
}

/** Waits for the turn of a generator, which is no function. Its caller ends the turn. */
function held(run: (work: () => Promise<void>) => Promise<void>): Promise<() => void> {
  return new Promise((begin, refuse) => {
    run(() => new Promise<void>((end) => begin(end))).catch(refuse)
  })
}
