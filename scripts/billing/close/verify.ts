import { Command } from 'commander'
import { withoutProof } from '#services/event-store/audit/event-proof'
import type { Month } from '#services/finance/calendar'
import { countOf } from '#services/foundation/format-count'
import { UsageError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { isFinished } from '#services/reports/closing/closes'
import { refuseOtherZone } from '#services/reports/closing/cut-off'
import { verifyMonths, type CloseToVerify } from '#services/reports/closing/verify-months'
import { financeLog } from '#services/reports/finance-log'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress } from '../progress.ts'
import { allCloses, finishedClose } from './finished-close.ts'
import { parseClosedMonth } from './parse-closed-month.ts'
import { print } from '../print.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Prove that the log still has the events and the totals of closed months.')
    .argument('[month]', 'a closed month, such as 2026-03')
    .option('--all', 'every closed month, in one reading of the log', false)
    .addHelpText(
      'after',
      [
        '',
        'Computes the month again from the log and compares it with the event MonthClosed. Names the first event that is not the one that was closed; the exit code is then 1.',
        "'billing events verify' does the same for every closed month, and proves that MonthClosed itself was not changed. With --manifest it also finds a log that was cut back together with its closes and seals.",
      ].join('\n'),
    )
    .action((text: string | undefined, { all }: { readonly all: boolean }) => {
      if ((text === undefined) === !all)
        throw new UsageError(
          "Name one closed month, such as 2026-03, or --all. 'billing close list' lists the closed months.",
        )
      const month = text === undefined ? null : parseClosedMonth(text)
      return onSourceLog((context) => verify(context, month))
    })
}

/** Null: every closed month. */
async function verify(context: OperatorContext, month: Month | null): Promise<void> {
  const { config, pool, store } = context
  const timeZone = config.reportingTimeZone
  const closes = await closesToVerify(context, month)
  for (const close of closes) refuseOtherZone(close, timeZone)
  const progress = showProgress({
    doing: `Verifying ${month ?? countOf(closes.length, 'closed month')}`,
    unit: 'events',
    total: await store.countAfter(null),
  })
  // The proof names what a forged event of the month changes.
  const parts = { ...financeLog(store, withoutProof), pool, onEvents: progress.advance }
  const verified = await verifyMonths(parts, closes, timeZone).finally(progress.end)

  for (const close of closes) {
    const { problems = [], isTableRewritten = false } = verified.get(close.month) ?? {}
    if (problems.length > 0) {
      const prefix = month === null ? `Month ${close.month}: ` : ''
      print(`${problems.map((problem) => `${prefix}${problem}\n`).join('')}`)
      process.exitCode = 1
      continue
    }
    const { events, root } = close.closed
    print(
      `Month ${close.month} has the ${countOf(events, 'event')} and the totals of its close. Merkle root: ${root}\n`,
    )
    if (isTableRewritten)
      print(
        `The rows of app.closed_event of ${close.month} were not those of the close. They were written again from the log, which the root proves.\n`,
      )
  }
}

async function closesToVerify(
  context: OperatorContext,
  month: Month | null,
): Promise<readonly CloseToVerify[]> {
  if (month !== null) {
    const { close, isFirst } = await finishedClose(context, month)
    return [{ ...close, isFirst }]
  }
  const closes = await allCloses(context)
  if (closes.length === 0)
    print("No month is closed. 'billing close <month>' closes a month that has ended.\n")
  for (const close of closes.filter((each) => !isFinished(each)))
    print(
      `The close of ${close.month} was interrupted, so there are no totals to compare. Run 'billing close ${close.month}' to complete it.\n`,
    )
  return closes.filter(isFinished).map((close) => ({ ...close, isFirst: close === closes[0] }))
}
