import { z } from 'zod'
import { instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'
import { moneyInWords, timeInWords } from './in-words.ts'

const state = z.object({
  /** `until` is null while the account is blocked. */
  blocks: z.array(z.object({ from: instant, until: instant.nullable() })),
})

/**
 * A blocked customer paid. It can happen while the provider cannot be reached: an open payment page
 * was paid, or a subscription was charged before it was canceled. A person decides on the refund. A
 * payment before the block fires nothing, also if it is recorded later.
 *
 * Source: docs/decisions/0013-reactors-and-outbox.md, "Consequences".
 */
export const revenueOnBlockedAccount = defineControl({
  name: 'revenue-on-blocked-account',
  title: 'Revenue on a blocked account',
  sentence: 'No invoice is paid while its account is blocked.',
  consumer: eventConsumer({
    name: 'control revenue-on-blocked-account',
    concernedBy: ['access', 'payment'],
    ignores: ['PaymentFailed', 'UnpaidInvoiceChanged', 'InvoiceWrittenOff'],
  }),
  state,
  begin: () => ({ blocks: [] }),
  step({ blocks }, event) {
    const at = event.metadata.occurredAt
    switch (event.type) {
      case 'AccountBlocked':
        blocks.push({ from: at, until: null })
        return null
      case 'AccountUnblocked': {
        const last = blocks.pop()
        if (last !== undefined) blocks.push({ ...last, until: at })
        return null
      }
      case 'PaymentSucceeded': {
        const { paymentId, amounts } = event.data
        const block = blocks.find(({ from, until }) => from <= at && (until === null || at < until))
        if (block === undefined || amounts.total <= 0) return null
        const total = moneyInWords({ amount: amounts.total, currency: amounts.currency })
        return `${paymentId} of ${total} was paid at ${timeInWords(at)}, but the account was blocked at ${timeInWords(block.from)}.`
      }
      default:
        return unreachable(event)
    }
  },
})
