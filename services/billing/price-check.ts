import { plans } from '#contracts/plans'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import type { Sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import { withTimeout } from '#services/foundation/timeout'
import type { Readiness } from '#services/http/health'
import { HttpError } from '#services/http/http-error'
import type { PlanPrices } from '#services/payments/plan-prices'
import { priceProblem } from '#services/payments/price-problem'
import type { ReadPrice } from '#services/payments/price-reader'

interface PriceLog extends WarningLog {
  error(facts: object, sentence: string): void
}

export interface PriceCheck {
  /**
   * Call before a checkout is opened. If the prices are not checked yet, checks them.
   * @throws PaymentProviderUnavailable if the provider cannot be reached
   * @throws HttpError 503 if a price differs from the plan catalogue
   */
  assertChecked(): Promise<void>
  /** `readiness` with the state of the prices. */
  addTo(readiness: Readiness): Readiness
  close(): void
}

export interface PriceCheckParts {
  readonly prices: PlanPrices
  readonly read: ReadPrice
  readonly log: PriceLog
  /** How long the start waits for the provider, in milliseconds. Default 5,000. */
  readonly limitMs?: number
  readonly sleep?: Sleep
}

type State =
  | { readonly kind: 'unchecked' }
  | { readonly kind: 'checked' }
  | { readonly kind: 'wrong'; readonly problems: string }

const uncheckedSentence =
  'The payment provider could not be reached, so the prices of the plans are not compared with the plan catalogue yet. No checkout opens until then; everything else works.'

const pauses = { firstMs: 1_000, longestMs: 30_000 }

/**
 * Compares the price of every plan at the provider with the plan catalogue: otherwise a page could
 * show one amount, and the checkout charge another. If the provider cannot be reached, the start
 * continues without checkouts, and the comparison is repeated until it succeeds.
 * @throws StartupError that names each wrong price setting
 */
export async function startPriceCheck({
  prices,
  read,
  log,
  limitMs = 5_000,
  sleep,
}: PriceCheckParts): Promise<PriceCheck> {
  let state: State = { kind: 'unchecked' }
  let checking: Promise<State> | null = null
  let hasStarted = false
  const stop = new AbortController()
  const outage = createOutageLog(log, {
    began: 'The prices of the plans cannot be checked; no checkout opens until they are.',
    lasts: 'The prices of the plans still cannot be checked.',
    over: 'The payment provider answers again; the prices of the plans were compared.',
  })

  async function compare(): Promise<State> {
    const problems = await Promise.all(
      plans.map(async (plan) => {
        const priceRef = prices.priceOf(plan.id)
        return priceProblem(plan, priceRef, await read(priceRef))
      }),
    )
    const found = problems.filter((problem) => problem !== null).join(' ')
    return found === '' ? { kind: 'checked' } : { kind: 'wrong', problems: found }
  }

  async function checkOnce(): Promise<State> {
    const next = await compare()
    outage.over()
    // The start reports a wrong price itself.
    if (hasStarted && next.kind === 'wrong' && state.kind !== 'wrong')
      log.error(
        { problems: next.problems },
        'A price differs from the plan catalogue; no checkout opens.',
      )
    if (next.kind === 'checked') stop.abort()
    state = next
    return next
  }

  /** Callers that arrive during a check share its result. */
  const check = (): Promise<State> => (checking ??= checkOnce().finally(() => (checking = null)))

  async function checkAtStart(): Promise<State> {
    try {
      const next = await withTimeout(limitMs, check(), () => null)
      if (next !== null) return next
      outage.failed(new Error(`no answer within ${limitMs / 1_000} s`))
    } catch (error) {
      outage.failed(error)
    }
    return { kind: 'unchecked' }
  }

  const atStart = await checkAtStart()
  if (atStart.kind === 'wrong') throw new StartupError(atStart.problems)
  hasStarted = true
  // An archived price can become active again, so a wrong price is compared again, too.
  void repeat(async () => void (await check()), {
    everyMs: pauses.longestMs,
    backoff: createBackoff(pauses),
    outage,
    signal: stop.signal,
    sleep,
  })

  return {
    async assertChecked() {
      const { kind } = state.kind === 'unchecked' ? await check() : state
      if (kind === 'wrong')
        throw new HttpError(
          503,
          'This plan cannot be bought right now, because its price is being corrected. Nothing was charged. Please try again later.',
        )
    },
    addTo(readiness) {
      const { reasons } = readiness
      switch (state.kind) {
        case 'checked':
          return readiness
        case 'unchecked':
          return { ...readiness, reasons: [...reasons, uncheckedSentence] }
        case 'wrong':
          return { ...readiness, isReady: false, reasons: [...reasons, state.problems] }
      }
    },
    close: () => stop.abort(),
  }
}
