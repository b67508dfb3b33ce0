import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { withTimeout } from '#services/foundation/timeout'

type Looked =
  | { readonly kind: 'found'; readonly reasons: readonly string[] }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A part of readiness that reads the database, but does not check whether it can be read. */
export interface ReadinessPart {
  /** Never rejects. */
  look(): Promise<Looked>
  /**
   * What the part found. A failure is logged and is a reason itself, unless there is an outage: it
   * makes this part fail, too, and the check that found it reports it.
   */
  reasons(looked: Looked, isOutage: boolean): readonly string[]
}

/** @param what begins a sentence, such as 'The keys of personal data' */
export function createReadinessPart(
  what: string,
  read: () => Promise<readonly string[]>,
  { log, limitMs }: { readonly log: WarningLog; readonly limitMs: number },
): ReadinessPart {
  const outage = createOutageLog(log, {
    began: `${what} could not be checked.`,
    lasts: `${what} still cannot be checked.`,
    over: `${what} can be checked again.`,
  })
  const late = () => {
    throw new Error(`No answer within ${limitMs / 1_000} s.`)
  }
  return {
    async look() {
      try {
        return { kind: 'found', reasons: await withTimeout(limitMs, read(), late) }
      } catch (error) {
        return { kind: 'failed', error }
      }
    },
    reasons(looked, isOutage) {
      if (looked.kind === 'found') {
        outage.over()
        return looked.reasons
      }
      if (isOutage) return []
      outage.failed(looked.error)
      return [`${what} could not be checked. The product’s log has the details.`]
    },
  }
}
