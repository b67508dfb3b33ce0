import { z } from 'zod'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineControl } from './control.ts'
import { moneyInWords, timeInWords } from './in-words.ts'

/** `paid`: the first payment of each period of a subscription. */
const state = z.object({ paid: z.record(z.string(), z.string()) })

/**
 * Two invoices for the same period of a subscription were paid. An invoice of prorations alone
 * shares its period with the regular invoice, and an invoice of nothing charges nothing.
 *
 * Source: "duplicate" is a reason of refunds and of chargebacks at Stripe
 * (https://docs.stripe.com/disputes/categories).
 */
export const periodPaidTwice = defineControl({
  name: 'period-paid-twice',
  title: 'Period paid twice',
  sentence: 'A period of a subscription is paid by one invoice.',
  consumer: eventConsumer({
    name: 'control period-paid-twice',
    concernedBy: ['payment'],
    ignores: ['PaymentFailed', 'UnpaidInvoiceChanged', 'InvoiceWrittenOff'],
  }),
  state,
  begin: () => ({ paid: {} }),
  step({ paid }, { data }) {
    const { subscriptionId, paymentId, amounts, lines, periodStart, periodEnd } = data
    const isProration = lines.length > 0 && lines.every((line) => line.isProration)
    if (subscriptionId === null || amounts.total <= 0 || isProration) return null
    const period = `${subscriptionId} ${periodStart} ${periodEnd}`
    const first = (paid[period] ??= paymentId)
    if (first === paymentId) return null
    const total = moneyInWords({ amount: amounts.total, currency: amounts.currency })
    return `${paymentId} of ${total} pays for ${subscriptionId} from ${timeInWords(periodStart)} to ${timeInWords(periodEnd)}, but ${first} already paid for this period.`
  },
})
