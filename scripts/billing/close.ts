import { Command } from 'commander'
import { takeFreeLease } from '#projections/engine/run/lease'
import { createCommandHandler } from '#services/commands/handle-command'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { leaseNames } from '#services/foundation/application-names'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { startOperatorClock } from '#services/operations/operator-clock'
import type { OperatorContext } from '#services/operations/operator-context'
import { closeMonth } from '#services/reports/closing/close-month'
import { refusalInWords } from '#services/reports/closing/refusal-in-words'
import { refuseOtherKeys } from '#services/start/assert-known-keys'
import { closeInWords } from './close/close-in-words.ts'
import { listCommand } from './close/list.ts'
import { parseClosedMonth } from './close/parse-closed-month.ts'
import { showCommand } from './close/show.ts'
import { verifyCommand } from './close/verify.ts'
import { onSourceLog } from './on-source-log.ts'
import { showProgress } from './progress.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'

/** `billing close`: closes months of the books, and explains and proves closed months. */
export function closeCommand(): Command {
  const command = new Command('close')
    .description('Close a month of the books: later facts of the month become adjustments.')
    .argument('<month>', 'a month that has ended, such as 2026-03')
    .addHelpText(
      'after',
      [
        '',
        'The first close may be any month that has ended; it closes all months before it, too. Then each month is closed in order.',
        'A close cannot be taken back. If the command is interrupted, run it again: it continues.',
        'Months end in REPORTING_TIME_ZONE, which may not change after the first close. docs/finance.md explains closed months.',
      ].join('\n'),
    )
    .action((text: string) => {
      const month = parseClosedMonth(text)
      return onSourceLog((context) => close(context, month))
    })
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(verifyCommand())
  return refuseWithExitCode2(command)
}

async function close(
  context: OperatorContext,
  month: ReturnType<typeof parseClosedMonth>,
): Promise<void> {
  const { config, connectionString, pool, store, codec } = context
  await refuseOtherKeys(pool, config)
  const lease = await takeFreeLease(connectionString, leaseNames.closing)
  if (lease === null)
    throw new StartupError('Another process is closing a month. Run the command again later.')
  const clock = await startOperatorClock(context)
  try {
    const progress = showProgress({
      doing: `Closing ${month}`,
      unit: 'events',
      total: await store.countAfter(null),
    })
    const result = await closeMonth(
      {
        store,
        codec: createKeylessCodec(),
        commands: createCommandHandler({
          store,
          codec,
          clock,
          macKey: macKeyOf(config.auditKey),
        }),
        pool,
        clock,
        timeZone: config.reportingTimeZone,
        onEvents: progress.advance,
      },
      month,
    ).finally(progress.end)
    if (result.kind === 'refused') throw new UsageError(refusalInWords(month, result.refusal))
    process.stdout.write(
      [
        closeInWords(result.close),
        `Next: keep the root apart from the database. 'billing events seal' seals the close with the log.`,
        `'billing close show ${month}' lists later adjustments, and 'billing close verify ${month}' proves the close.`,
        '',
      ].join('\n'),
    )
  } finally {
    await clock.close()
    await lease.release()
  }
}
