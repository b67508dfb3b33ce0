import { Command, InvalidArgumentError } from 'commander'
import { longestReason, type AcceptedFindings } from '#contracts/events/close'
import { noteDone } from '#services/event-store/audit/integrity-work'
import { takeFreeLease } from '#services/postgres/lease'
import { createCommandHandler } from '#services/commands/handle-command'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import type { Month } from '#services/finance/calendar'
import { leaseNames } from '#services/foundation/application-names'
import { StartupError, UsageError } from '#services/foundation/startup-error'
import { startOperatorClock } from '#services/operations/operator-clock'
import type { OperatorContext } from '#services/operations/operator-context'
import { assertProviderRuns } from '#services/operations/provider-runs'
import { closeMonth, prepareClose, type ClosingParts } from '#services/reports/closing/close-month'
import { refusalInWords } from '#services/reports/closing/refusal-in-words'
import type { BeforeClose } from '#services/reports/integrity/before-close-check'
import { checkBeforeClose } from '#services/reports/integrity/before-close'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { askToType } from './ask-to-type.ts'
import { checksInWords } from './close/checks-in-words.ts'
import { closeInWords } from './close/close-in-words.ts'
import { listCommand } from './close/list.ts'
import { parseClosedMonth } from './close/parse-closed-month.ts'
import { showCommand } from './close/show.ts'
import { verifyCommand } from './close/verify.ts'
import { integrityParts } from './events/integrity-parts.ts'
import { verifyWithProgress } from './events/verify-with-progress.ts'
import { financeLog } from '#services/reports/finance-log'
import { onSourceLog } from './on-source-log.ts'
import { showProgress } from './progress.ts'
import { compareWithProvider, inFlightSince } from './reconciliation-report.ts'
import { warn } from './warn.ts'
import { refuseWithExitCode2 } from './wrong-argument.ts'
import { print } from './print.ts'

interface Options {
  readonly dryRun: boolean
  readonly yes: boolean
  readonly accept?: string
}

/** `billing close`: closes months of the books, and explains and proves closed months. */
export function closeCommand(): Command {
  const command = new Command('close')
    .description('Close a month of the books: later facts of the month become adjustments.')
    .argument('<month>', 'a month that has ended, such as 2026-03')
    .option('--dry-run', 'show the checks, and close nothing', false)
    .option('--yes', 'close without the question, for a script', false)
    .option('--accept <reason>', 'close in spite of findings; the log records the reason', reasonOf)
    .addHelpText(
      'after',
      [
        '',
        'Before it closes, the command compares the log with the payment provider, replays the controls, verifies the log with its seals and closed months, and looks at the age of the newest seal. It shows the results and asks you to type the month.',
        'If a check has a finding, the month is closed only with --accept. The event MonthCutOff records the findings and the reason: write no personal data into it. A log that does not verify is never closed.',
        'Without a terminal the command needs --yes or --dry-run. The exit code of --dry-run is 0 if the month can be closed, and 1 if not.',
        'The first close may be any month that has ended; it closes all months before it, too. Then each month is closed in order.',
        'A close cannot be taken back. If the command is interrupted, run it again: it continues, without the checks.',
        'Months end in REPORTING_TIME_ZONE, which may not change after the first close. docs/finance.md explains closed months.',
      ].join('\n'),
    )
    .action((text: string, options: Options) => {
      const month = parseClosedMonth(text)
      if (!options.yes && !options.dryRun && !process.stdin.isTTY)
        throw new UsageError(
          `A close cannot be taken back, so the command asks before it closes ${month}, and its input is no terminal. Look at the checks with --dry-run, then add --yes. Nothing was closed.`,
        )
      return onSourceLog((context) => close(context, month, options))
    })
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(verifyCommand())
  return refuseWithExitCode2(command)
}

function reasonOf(text: string): string {
  const reason = text.trim()
  if (reason === '') throw new InvalidArgumentError('Give a reason.')
  if (reason.length > longestReason)
    throw new InvalidArgumentError(`It has more than ${longestReason} characters.`)
  return reason
}

async function close(context: OperatorContext, month: Month, options: Options): Promise<void> {
  const { config, connectionString, pool, store, proof, codec } = context
  await refuseOtherKeys(pool, config)
  const lease = await takeFreeLease(connectionString, leaseNames.closing)
  if (lease === null)
    throw new StartupError('Another process is closing a month. Run the command again later.')
  const clock = await startOperatorClock(context)
  const parts: ClosingParts = {
    ...financeLog(store, proof),
    commands: createCommandHandler({ store, codec, clock, macKey: macKeyOf(config.auditKey) }),
    pool,
    clock,
    timeZone: config.reportingTimeZone,
  }
  try {
    const { earlier, refusal } = await prepareClose(parts, month)
    if (refusal !== null) throw new UsageError(refusalInWords(month, refusal))
    const isInterrupted = earlier.some((each) => each.month === month)
    if (isInterrupted && options.dryRun) {
      print(
        `The close of ${month} was interrupted after its cut, which cannot be taken back. 'billing close ${month}' completes it.\n`,
      )
      return
    }
    const accepted = isInterrupted
      ? null
      : await gate(context, { month, closedThrough: earlier.at(-1)?.month ?? null }, options)
    if (options.dryRun) return
    await closeNow(parts, month, { accepted, events: await store.countAfter(null) })
    await noteDone(pool, 'close', warn)
  } finally {
    await clock.close()
    await lease.release()
  }
}

/**
 * Runs and shows the checks, and asks. Returns what the operator accepted; null without a finding.
 * @throws StartupError if the month is not closed
 */
async function gate(
  context: OperatorContext,
  { month, closedThrough }: { readonly month: Month; readonly closedThrough: Month | null },
  { dryRun, yes, accept }: Options,
): Promise<AcceptedFindings | null> {
  const checks = await runChecks(context, month, closedThrough)
  print(`${checksInWords(checks)}\n`)
  const findings = checks
    .filter(({ outcome }) => outcome === 'finding')
    .map((each) => each.sentence)
  const refused = checks.some(({ outcome }) => outcome === 'refused')
  const reason = accept ?? null
  if (refused || (findings.length > 0 && reason === null)) {
    const why = refused
      ? `${month} was not closed: the log does not verify.`
      : `${month} was not closed: correct what the checks found, or close it in spite of that with --accept "reason".`
    if (!dryRun) throw new StartupError(why)
    print(`${why}\n`)
    process.exitCode = 1
    return null
  }
  if (dryRun) {
    print(`${month} can be closed. Nothing was closed: --dry-run.\n`)
    return null
  }
  if (
    !yes &&
    !(await askToType(`A close cannot be taken back. Type ${month} to close it: `, month))
  )
    throw new StartupError(`Nothing was closed: the answer was not ${month}.`)
  if (reason === null) return null
  if (findings.length > 0) return { reason, findings }
  print('Every check passed, so the reason of --accept is not recorded.\n')
  return null
}

async function runChecks(
  context: OperatorContext,
  month: Month,
  closedThrough: Month | null,
): Promise<readonly BeforeClose[]> {
  const parts = await integrityParts(context, [])
  const compare = async () => {
    await assertProviderRuns(process.env)
    const cutOff = inFlightSince(parts.now)
    return compareWithProvider(context, { cutOff, isInScope: () => true })
  }
  return verifyWithProgress(
    { doing: 'Verifying', events: await context.store.countAfter(null) },
    (observed) => checkBeforeClose({ ...parts, compare, closedThrough }, month, observed),
  )
}

async function closeNow(
  parts: ClosingParts,
  month: Month,
  { accepted, events }: { readonly accepted: AcceptedFindings | null; readonly events: number },
): Promise<void> {
  const progress = showProgress({
    doing: `Closing ${month}`,
    unit: 'events',
    total: events,
  })
  const result = await closeMonth(
    { ...parts, onEvents: progress.advance },
    month,
    accepted,
  ).finally(progress.end)
  if (result.kind === 'refused') throw new UsageError(refusalInWords(month, result.refusal))
  print(
    [
      closeInWords(result.close),
      `Next: keep the root apart from the database. 'billing events seal' seals the close with the log.`,
      `'billing close show ${month}' lists later adjustments, and 'billing close verify ${month}' proves the close.`,
      '',
    ].join('\n'),
  )
}
