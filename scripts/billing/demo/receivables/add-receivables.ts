import { parseUserId } from '#contracts/ids'
import { createCommandHandler } from '#services/commands/handle-command'
import { createStreamCache } from '#services/commands/stream-cache'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { parseDay } from '#services/finance/calendar'
import { countOf } from '#services/foundation/format-count'
import { inParallel } from '#services/foundation/in-parallel'
import type { OperatorContext } from '#services/operations/operator-context'
import { startOperatorClock } from '#services/operations/operator-clock'
import { print } from '../../print.ts'
import { showProgress } from '../../progress.ts'
import type { Visitor } from '../visitor.ts'
import { planMerchant } from './plan-merchant.ts'
import { recordMerchant, type RecordedClient } from './record-merchant.ts'

/** A customer who paid, and its number in the demo. */
export interface Merchant {
  readonly index: number
  readonly visitor: Pick<Visitor, 'userId' | 'call' | 'completeAccountForm' | 'payAt'>
}

export interface RecordedMerchant extends Merchant {
  readonly clients: readonly RecordedClient[]
}

/** Merchants whose invoices are recorded at the same time. */
const atOnce = 6

/** Gives each merchant clients and their invoices of the two years up to now, and returns both. */
export async function addReceivables(
  context: OperatorContext,
  merchants: readonly Merchant[],
  seed: number,
  signal: AbortSignal,
): Promise<readonly RecordedMerchant[]> {
  const recorded: RecordedMerchant[] = []
  const { config, store, codec, keys } = context
  const clock = await startOperatorClock(context)
  const progress = showProgress({
    doing: 'Recording invoices',
    unit: 'merchants',
    total: merchants.length,
  })
  let invoices = 0
  try {
    const commands = createCommandHandler({
      store,
      codec,
      clock,
      macKey: macKeyOf(config.auditKey),
      cache: createStreamCache({ keys }),
    })
    // The day before is over in every zone of the USA.
    const today = parseDay(new Date(clock.now().getTime() - 86_400_000).toISOString().slice(0, 10))
    if (today === null) throw new Error('The clock shows no day of the calendar.')
    await inParallel(atOnce, merchants, async (merchant) => {
      const { index, visitor } = merchant
      signal.throwIfAborted()
      const clients = planMerchant(seed, index, today)
      const merchantId = parseUserId(visitor.userId())
      const known = await recordMerchant({ commands, keys }, merchantId, seed, clients)
      recorded.push({ ...merchant, clients: known })
      invoices += clients.flatMap((client) => client.invoices).length
      progress.advance(1)
    })
  } finally {
    progress.end()
    await clock.close()
  }
  print(`Recorded ${countOf(invoices, 'invoice')} of ${countOf(merchants.length, 'merchant')}.\n`)
  return recorded.toSorted((a, b) => a.index - b.index)
}
