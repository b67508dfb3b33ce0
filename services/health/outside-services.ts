import type { CallOutcomes } from '#services/foundation/call-outcomes'

/** Which services outside the product answered their last call of this process. */
export interface OutsideServices {
  readonly provider: CallOutcomes
  readonly mails: CallOutcomes
  /** One sentence for each service that does not answer. */
  reasons(): readonly string[]
  /** Of every service that this process has called in the last 10 min. */
  measured(): readonly { readonly service: string; readonly answers: boolean }[]
}

const services = {
  'payment-provider': (seconds: number) =>
    `The payment provider has not answered for ${seconds} s. Checkouts and portals fail until it answers.`,
  'mail-server': (seconds: number) =>
    `The mail server has not answered for ${seconds} s. No sign-in code is sent, and other mails wait.`,
} as const

/** The reconciler calls the provider every 5 min. Without a later call, an outcome says nothing. */
const forgottenAfterMs = 600_000

/**
 * Remembers for /readyz and the metrics whether the last call of each service got an answer. It
 * sends no calls of its own. A refusal is an answer.
 * @param now monotonic milliseconds
 */
export function createOutsideServices(
  now: () => number = () => performance.now(),
): OutsideServices {
  /** By service: the time of the last call, and of the first of the failures in a row. */
  const last = new Map<keyof typeof services, { at: number; failedSince: number | null }>()

  const outcomeOf = (service: keyof typeof services): CallOutcomes => ({
    answered: () => void last.set(service, { at: now(), failedSince: null }),
    failed: () =>
      void last.set(service, { at: now(), failedSince: last.get(service)?.failedSince ?? now() }),
  })
  const known = () => [...last].filter(([, { at }]) => now() - at < forgottenAfterMs)

  return {
    provider: outcomeOf('payment-provider'),
    mails: outcomeOf('mail-server'),
    reasons: () =>
      known().flatMap(([service, { failedSince }]) =>
        failedSince === null ? [] : services[service](Math.round((now() - failedSince) / 1_000)),
      ),
    measured: () =>
      known().map(([service, { failedSince }]) => ({ service, answers: failedSince === null })),
  }
}
