import type { OutageLog } from '#services/foundation/outage-log'
import { withTimeout } from '#services/foundation/timeout'

/** A check of one dependency of the product. */
export interface Check {
  /**
   * Null if the dependency works, otherwise the reason in sentences. Answers within `limitMs` and
   * never rejects.
   */
  reason(): Promise<string | null>
}

export interface CheckOptions {
  /** Uses the dependency once. Rejects if it does not work. */
  readonly probe: () => Promise<unknown>
  /** The reason for an error of `probe`. */
  readonly explain: (error: unknown) => string
  /** The shortest time between two probes. Between them, `reason` returns the last result. */
  readonly everyMs: number
  readonly limitMs: number
  /** The reason if `probe` does not answer within `limitMs`. */
  readonly timeoutReason: string
  readonly outage: OutageLog
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** Runs one probe at a time. Callers that arrive during a probe share its result. */
export function createCheck({
  probe,
  explain,
  everyMs,
  limitMs,
  timeoutReason,
  outage,
  now = () => performance.now(),
}: CheckOptions): Check {
  let known: { readonly at: number; readonly reason: string | null } | null = null
  let probing: Promise<string | null> | null = null

  async function probeOnce(): Promise<string | null> {
    let reason: string | null = null
    try {
      await probe()
      outage.over()
    } catch (error) {
      outage.failed(error)
      reason = explain(error)
    }
    known = { at: now(), reason }
    probing = null
    return reason
  }

  return {
    async reason() {
      if (known !== null && now() - known.at < everyMs) return known.reason
      probing ??= probeOnce()
      return withTimeout(limitMs, probing, () => {
        outage.failed(new Error(`no answer within ${limitMs / 1_000} s`))
        return timeoutReason
      })
    },
  }
}
