import { InvalidArgumentError } from 'commander'
import { reconciliationName } from '#contracts/finance/reconciliation-columns'
import { createWebhookLog } from '#services/billing/webhooks/webhook-log'
import { comparedKinds } from '#services/finance/reconciliation/compared-record'
import { systemClock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { modeOfProvider, openProviderAccount } from '#services/operations/provider-account'
import { assertProviderRuns } from '#services/operations/provider-runs'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import type { ReportFile } from '#services/reports/formats/report-file'
import { parseParameters, type GivenParameters } from '#services/reports/parse-parameters'
import { followLog } from '#services/reports/reconciliation/log-side'
import {
  compareAccount,
  type ComparedAccount,
} from '#services/reports/reconciliation/compare-account'
import { financeLog } from '#services/reports/finance-log'
import { reconciliationFile, scopeOf } from '#services/reports/reconciliation/reconciliation-file'
import { businessTime } from './business-time.ts'
import { showProgress } from './progress.ts'

/** The reconciler handles lost webhooks every 5 minutes. */
const defaultMinutes = 5
const msOfMinute = 60_000

/** A sentence about an option that has no meaning for this report. Null if each one has. */
export function unusableForReconciliation(
  { asOf, knownAt }: GivenParameters,
  isExplained: boolean,
): string | null {
  if (asOf !== undefined || knownAt !== undefined)
    return `The provider has only its present state, so the report ${reconciliationName} takes no --as-of and no --known-at.`
  if (isExplained)
    return `Each row of the report ${reconciliationName} names its event, so it takes no --explain.`
  return null
}

export function minutes(text: string): number {
  const value = Number(text)
  if (!/^\d{1,4}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 0 to 9999.')
  return value
}

/**
 * Compares the log with the payment provider, and writes the differences. Reads both completely
 * before the first row is written, so a failure of the provider writes nothing.
 */
export async function reconciliation(
  given: GivenParameters,
  inFlightMinutes: number = defaultMinutes,
  write: (file: ReportFile) => Promise<void>,
): Promise<void> {
  await assertProviderRuns(process.env)
  await asOperator(async (context) => {
    const { config } = context
    const now = await businessTime(context.pool)
    const parsed = parseParameters(given, config.reportingTimeZone, now)
    if (parsed.kind === 'refused') throw new UsageError(parsed.problem)
    const { from, to, currency, timeZone } = parsed.parameters
    const cutOff = inFlightSince(now, inFlightMinutes)
    const { account, position, ...result } = await compareWithProvider(context, {
      cutOff,
      isInScope: scopeOf(parsed.parameters),
    })
    const provider = `${account ?? 'an account that the key may not read'} (${modeOfProvider(config)})`
    const parameters = {
      from,
      to,
      currency,
      time_zone: timeZone,
      provider,
      cut_off: cutOff,
      compared: comparedInWords(result),
      in_flight: customersInWords(result.inFlight),
    }
    await write(
      reconciliationFile(result.differences, { parameters, timeZone, computedAt: now, position }),
    )
    process.stderr.write(summaryOf(result, provider, inFlightMinutes))
    if (result.differences.length > 0) process.exitCode = 1
  })
}

/** Changes from this time on can be in flight. `now` is the business clock's time. */
export function inFlightSince(now: string, inFlightMinutes: number = defaultMinutes): string {
  return new Date(Date.parse(now) - inFlightMinutes * msOfMinute).toISOString()
}

/**
 * Compares the log with the account at the payment provider. Only reads.
 * @throws StartupError if the provider does not answer or refuses
 */
export async function compareWithProvider(
  { config, pool, store, proof }: Pick<OperatorContext, 'config' | 'pool' | 'store' | 'proof'>,
  options: Parameters<typeof compareAccount>[1],
) {
  const progress = showProgress({ doing: 'Comparing', unit: 'events and objects', total: null })
  const { reader, feed } = openProviderAccount(config, { onObjects: progress.advance })
  const log = followLog({ ...financeLog(store, proof), onEvents: progress.advance })
  try {
    const account = await reader.accountId()
    const result = await compareAccount(
      {
        log,
        account: reader,
        feed,
        handled: createWebhookLog(pool, systemClock).settled,
      },
      options,
    )
    return { ...result, account, position: log.position() }
  } catch (error) {
    throw isOfProvider(error)
      ? new StartupError(`${error.message} Nothing was written; run the command again later.`)
      : error
  } finally {
    progress.end()
  }
}

function comparedInWords({ compared }: Pick<ComparedAccount, 'compared'>): string {
  return comparedKinds.map((kind) => counted(compared[kind], kind)).join(', ')
}

function customersInWords(count: number): string {
  return counted(count, 'customer')
}

function summaryOf(result: ComparedAccount, provider: string, inFlightMinutes: number): string {
  const { differences, inFlight } = result
  const lines = [
    `Compared the log with ${provider}: ${comparedInWords(result)}. ${
      differences.length === 0 ? 'No difference.' : `${counted(differences.length, 'difference')}.`
    }`,
  ]
  if (inFlight > 0)
    lines.push(
      `${customersInWords(inFlight)} changed in the last ${counted(inFlightMinutes, 'minute')} or while the command ran, and the product has not recorded the change yet. Run the report again in ${counted(defaultMinutes, 'minute')}.`,
    )
  if (differences.length > 0)
    lines.push(
      "Next: 'billing reconcile --all' records what webhooks lost. Then run the report again. docs/operations.md says what to do about a difference that stays.",
    )
  return `${lines.join('\n')}\n`
}

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

function isOfProvider(error: unknown): error is Error {
  return error instanceof PaymentProviderUnavailable || error instanceof PaymentProviderRefused
}
