import type { OutageLog } from '#services/foundation/outage-log'
import { within } from '#services/foundation/within'

/** Whether something that the product depends on works. */
export interface Check {
  /** Null while it works, else the reason in sentences. Answers within the check's limit, and never rejects. */
  reason(): Promise<string | null>
}

export interface CheckOptions {
  /** Rejects when it does not work. */
  readonly look: () => Promise<unknown>
  readonly explain: (error: unknown) => string
  /** Looks at most this often, however often it is asked. */
  readonly everyMs: number
  readonly limitMs: number
  /** The reason when there is no answer within `limitMs`. */
  readonly late: string
  readonly outage: OutageLog
  /** Monotonic milliseconds. */
  readonly now?: () => number
}

/** One look at a time: callers that come meanwhile share its result. */
export function createCheck({
  look,
  explain,
  everyMs,
  limitMs,
  late,
  outage,
  now = () => performance.now(),
}: CheckOptions): Check {
  let known: { readonly at: number; readonly reason: string | null } | null = null
  let looking: Promise<string | null> | null = null

  async function lookOnce(): Promise<string | null> {
    let reason: string | null = null
    try {
      await look()
      outage.over()
    } catch (error) {
      outage.failed(error)
      reason = explain(error)
    }
    known = { at: now(), reason }
    looking = null
    return reason
  }

  return {
    async reason() {
      if (known !== null && now() - known.at < everyMs) return known.reason
      looking ??= lookOnce()
      return within(limitMs, looking, () => {
        outage.failed(new Error(`no answer within ${limitMs / 1_000} s`))
        return late
      })
    },
  }
}
