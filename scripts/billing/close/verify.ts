import { Command } from 'commander'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import type { Month } from '#services/finance/calendar'
import { countOf } from '#services/foundation/format-count'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { refuseOtherZone } from '#services/reports/closing/cut-off'
import { verifyMonth } from '#services/reports/closing/verify-month'
import { showProgress } from '../progress.ts'
import { finishedClose } from './finished-close.ts'
import { parseClosedMonth } from './parse-closed-month.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Prove that the log still has the events and the totals of a closed month.')
    .argument('<month>', 'a closed month, such as 2026-03')
    .addHelpText(
      'after',
      [
        '',
        'Computes the month again from the log and compares it with the event MonthClosed. Names the first event that is not the one that was closed; the exit code is then 1.',
        "'billing events verify' proves that MonthClosed itself was not changed.",
      ].join('\n'),
    )
    .action((text: string) => {
      const month = parseClosedMonth(text)
      return asOperator((context) => verify(context, month))
    })
}

async function verify({ config, pool, store }: OperatorContext, month: Month): Promise<void> {
  const log = { store, codec: createKeylessCodec() }
  const { close, isFirst } = await finishedClose({ config, pool, store }, month)
  refuseOtherZone(close, config.reportingTimeZone)
  const progress = showProgress({
    doing: `Verifying ${month}`,
    unit: 'events',
    total: await store.countAfter(null),
  })
  const { problems, isTableRewritten } = await verifyMonth(
    { ...log, pool, onEvents: progress.advance },
    close,
    { isFirst, timeZone: config.reportingTimeZone },
  ).finally(progress.end)
  if (problems.length > 0) {
    process.stdout.write(`${problems.join('\n')}\n`)
    process.exitCode = 1
    return
  }
  const { events, root } = close.closed
  process.stdout.write(
    `Month ${month} has the ${countOf(events, 'event')} and the totals of its close. Merkle root: ${root}\n`,
  )
  if (isTableRewritten)
    process.stdout.write(
      'The rows of app.closed_event were not those of the close. They were written again from the log, which the root proves.\n',
    )
}
