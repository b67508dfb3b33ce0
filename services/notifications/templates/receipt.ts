import { formatMoney } from '#contracts/format-money'
import type { Instant } from '#contracts/instant'
import { receiptText, type ReceiptText } from '#contracts/receipt-text'
import { unreachable } from '#services/foundation/decider'
import { day } from '#services/mail/dates'
import type { Description } from '#services/mail/mail-content'
import type { NotificationOf, PlanEnd } from '../notification.ts'
import { settledBy, type SettledBy } from './settled-by.ts'
import { receiptUrl, type RenderContext, type Template } from './template.ts'
import { greeted } from './words.ts'

/** The same descriptions and sums as on the page and in the PDF of the receipt. */
export function receipt(
  { name, receipt: paid, paidBy, end }: NotificationOf<'receipt'>,
  context: RenderContext,
): Template {
  const { descriptions, lines, sums } = receiptText(paid)
  const { amount, subject, label, sentence } = wordsOf(paid, settledBy(paidBy))
  const { period, billed_to: billedTo } = paid
  const course = period === null ? null : courseOf(period.end, end)
  return {
    subject,
    topic: 'Receipt',
    preheader: `${sentence} The receipt is attached as a PDF file.`,
    blocks: [
      { type: 'figure', label: `${label} ${day(paid.issued_at)}`, value: amount },
      {
        type: 'paragraph',
        text: greeted(name, course === null ? sentence : `${sentence} ${course.sentence}`),
      },
      // A payment can follow the end of the plan: a line would run back.
      ...(course === null || course.at < paid.issued_at
        ? []
        : [
            {
              type: 'line' as const,
              start: { mark: 'paid' as const, label: 'Paid', date: day(paid.issued_at) },
              end: { mark: 'hollow' as const, label: course.label, date: day(course.at) },
            },
          ]),
      {
        type: 'descriptions',
        descriptions: [
          ...descriptions.filter(({ term }) => term !== 'Date paid'),
          ...(billedTo.name === null ? [] : [{ term: 'Billed to', value: billedTo.name }]),
        ],
      },
      {
        type: 'descriptions',
        descriptions: [
          ...lines.map((line) => ({
            term: termOf(line),
            value: line.amount,
          })),
          ...sumsWorthReading(sums),
        ],
      },
      { type: 'paragraph', text: 'The receipt is attached as a PDF file.' },
      { type: 'action', label: 'See the receipt', url: receiptUrl(paid.receipt_id, context) },
    ],
  }
}

/** The provider writes the quantity into most descriptions: `3 × Monthly Plan`. */
function termOf({ description, quantity }: ReceiptText['lines'][number]): string {
  const isStated = ` ${description}`.includes(` ${quantity} × `)
  return quantity === '' || quantity === '1' || isStated
    ? description
    : `${description} × ${quantity}`
}

/** A receipt is mailed for money that moved, or for a credit balance that paid. */
function wordsOf({ amounts, currency }: NotificationOf<'receipt'>['receipt'], by: SettledBy) {
  const paid = formatMoney(amounts?.paid ?? 0, currency)
  const total = formatMoney(amounts?.total ?? 0, currency)
  const received = { amount: paid, subject: `Receipt for ${paid}`, label: 'Paid on' }
  switch (by) {
    case 'credit':
      return {
        amount: total,
        subject: `Receipt: your credit balance paid ${total}`,
        label: 'Paid by your credit balance on',
        sentence: `Your credit balance paid ${total}, and we charged nothing.`,
      }
    case 'method':
      return { ...received, sentence: `Your payment of ${paid} went through.` }
    case 'outside':
    case 'nothing':
      return { ...received, sentence: `We received your payment of ${paid}.` }
    default:
      return unreachable(by)
  }
}

/** What follows the payment: the end of the plan, or the next billing. */
function courseOf(periodEnd: Instant, end: PlanEnd | null) {
  if (end?.isPast === true) return courseTo('ended on', end.at)
  // A plan that ends after the paid period is charged again.
  if (end !== null && end.at <= periodEnd) return courseTo('ends on', end.at)
  return { ...courseTo('runs until', periodEnd), label: 'Next billing' }
}

function courseTo(verb: string, at: Instant) {
  return { sentence: `Your plan ${verb} ${day(at)}.`, label: `Your plan ${verb}`, at }
}

/** Without the sums that repeat the amount paid: most invoices have one line and no discount. */
function sumsWorthReading(sums: ReceiptText['sums']): readonly Description[] {
  const paid = sums.at(-1)
  return sums
    .filter((sum) => sum === paid || sum.value !== paid?.value)
    .map((sum) => ({ ...sum, isSum: sum === paid }))
}
