import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { dunningStream, reminderStream } from '#services/foundation/stream-names'
import { dunningDecider, nextReminderAt } from './dunning/dunning-decider.ts'
import { failedInvoices } from './dunning/unpaid-invoices.ts'
import {
  accountHistory,
  billingHistory,
  foldAccount,
  foldBilling,
  type HistoryParts,
} from './known.ts'
import { nextDateAt, reminderDecider } from './reminders/reminder-decider.ts'

export interface FollowParts extends HistoryParts {
  readonly commands: Pick<CommandHandler, 'handle'>
  /** The business clock. */
  readonly clock: Clock
}

/**
 * Brings the reminders of a user up to date with the billing stream and the business clock. Returns
 * when the next reminder is due; null if none is to come. A repeat records nothing.
 */
export async function followDates(
  userId: UserId,
  { commands, clock, ...parts }: FollowParts,
  context: CommandContext,
): Promise<Instant | null> {
  const history = await billingHistory(userId, parts)
  const invoices = failedInvoices(history)
  const billing = foldBilling(history)
  const at = clock.now().toISOString()
  // An erased person gets no reminder. The subscriptions ended before the erasure.
  if (foldAccount(await accountHistory(userId, parts)).kind !== 'open') return null

  const times: (Instant | null)[] = []
  if (invoices.length > 0) {
    const { state } = await commands.handle({
      decider: dunningDecider,
      stream: dunningStream(userId),
      command: { type: 'follow', invoices, at },
      context,
    })
    times.push(nextReminderAt(state, { invoices, at }))
  }
  // Most follows find no date: they need not read what was reminded of.
  const first = nextDateAt({ billing, at }, new Set())
  if (first !== null && first > at) times.push(first)
  else if (first !== null) {
    const { state } = await commands.handle({
      decider: reminderDecider,
      stream: reminderStream(userId),
      command: { type: 'follow', billing, at },
      context,
    })
    times.push(nextDateAt({ billing, at }, state))
  }
  return times.filter((time) => time !== null).sort()[0] ?? null
}
