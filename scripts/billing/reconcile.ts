import { Command } from 'commander'
import { idAtProvider, isProviderRef } from '#contracts/events/provider-ref'
import { isUserId } from '#contracts/ids'
import { accountFailures, synchronizeAccount } from '#services/billing/reconciler/account-failures'
import { reconcileNow } from '#services/billing/reconciler/reconciler'
import { createReconcilerRun, type RunResult } from '#services/billing/reconciler/reconciler-run'
import { leaseNames } from '#services/foundation/application-names'
import { formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { withBilling, type OperatorBilling } from '#services/operations/operator-billing'
import { assertProviderRuns } from '#services/operations/provider-runs'
import {
  PaymentProviderRefused,
  PaymentProviderUnavailable,
} from '#services/payments/payment-provider'
import { acquireLease } from '#services/postgres/lease'
import { onSourceLog } from './on-source-log.ts'
import { showProgress, type Progress } from './progress.ts'
import { withStopSignal } from './with-stop-signal.ts'
import { print } from './print.ts'

interface Options {
  readonly all?: boolean
  readonly customer?: string
}

/** `billing reconcile`: records what the provider knows and the log does not. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description('Compare the log with the payment provider now, and record the differences.')
    .option('--all', 'synchronize every customer, and report objects that belong to no account')
    .option('--customer <userId>', 'synchronize one account only')
    .addHelpText(
      'after',
      [
        '',
        'Without an option, handles the events of the provider since the last run.',
        'With --all, lists no events. The next run continues after the newest event at the start.',
        'The product handles the events every 5 minutes, and all customers every night. The command waits for a run in progress.',
        'The exit code is 1 if a customer could not be synchronized.',
      ].join('\n'),
    )
    .action((options: Options) =>
      withStopSignal(async (signal) => {
        if (options.all === true && options.customer !== undefined)
          throw new StartupError(
            '--all synchronizes every customer and --customer only one: name one of the two.',
          )
        await assertProviderRuns(process.env)
        await onSourceLog((context) =>
          withBilling(context, async (parts) => {
            const result = await reconcile(parts, options, context.connectionString, signal)
            print(
              `Reconciled ${counted(result.customers, 'customer')}: ${counted(result.facts, 'fact')} recorded, ${counted(result.failures, 'failure')}.\n`,
            )
            await printFailures(parts)
            if (result.failures > 0) process.exitCode = 1
          }),
        )
      }, 'The command was stopped. What it recorded stays; run it again to continue.'),
    )
}

async function reconcile(
  parts: OperatorBilling,
  { all = false, customer }: Options,
  connectionString: string,
  signal: AbortSignal,
): Promise<RunResult> {
  if (customer !== undefined) return reconcileCustomer(parts, customer, signal)
  const lease = await acquireLease(connectionString, leaseNames.reconciling, signal)
  if (lease === null) throw signal.reason
  const progress: Progress = showProgress({ doing: 'Reconciling', unit: 'customers', total: 0 })
  let expected = 0
  try {
    return await reconcileNow(parts, {
      isFull: all,
      skipsEvents: all,
      signal: AbortSignal.any([signal, lease.lost]),
      onFailure,
      onExpected: (count) => progress.expect((expected += count)),
      onSynchronized: () => progress.advance(1),
    })
  } catch (error) {
    throw isOfProvider(error)
      ? new StartupError(`${error.message} Nothing else was changed; run the command again later.`)
      : error
  } finally {
    progress.end()
    await lease.release()
  }
}

async function reconcileCustomer(
  parts: OperatorBilling,
  userId: string,
  signal: AbortSignal,
): Promise<RunResult> {
  if (!isUserId(userId))
    throw new StartupError(
      `${JSON.stringify(userId)} is not a user id. A user id looks like usr_0123456789abcdef01234567.`,
    )
  if (!(await parts.billing.hasCustomer(userId)))
    throw new StartupError(
      `The account ${userId} does not exist, or it has no customer at the payment provider. Check the id: 'billing events show account-${userId}' shows the account.`,
    )
  const run = createReconcilerRun(parts, { signal, onFailure })
  await synchronizeAccount(parts, run, userId, await accountFailures(parts))
  return run.result()
}

/** `printFailures` prints what is noted, so the command logs no failure. */
const onFailure = () => undefined

function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

async function printFailures({ state }: OperatorBilling): Promise<void> {
  for (const { key, attempts, nextAttemptAt, reason } of await state.failures())
    print(
      `${isProviderRef(key) ? idAtProvider(key) : key} ${attempts === 0 ? 'waits for a newer release' : `failed ${counted(attempts, 'time')}`}; the next attempt is due at ${nextAttemptAt}: ${reason}\n`,
    )
}

function isOfProvider(error: unknown): error is Error {
  return error instanceof PaymentProviderUnavailable || error instanceof PaymentProviderRefused
}
