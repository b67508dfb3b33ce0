import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { HeadText, Row } from './branded-pdf.ts'
import { fromLines, toLines, type FileClient, type FileMerchant } from './statement-files.ts'

/** What the receipt of one payment of a client shows. Amounts in minor units of `currency`. */
export interface PaymentReceipt {
  readonly merchant: FileMerchant
  readonly client: FileClient
  /** In the merchant's time zone. */
  readonly day: string
  /** The day is that of the list from which the merchant recorded the payment. */
  readonly isEstimated: boolean
  /** How it was paid, within a sentence: `by check`, `with Visa ending 4242`. */
  readonly means: string
  readonly currency: string
  readonly amount: number
  /** What went back to the client since, as of `asOf`. */
  readonly wentBack: number
  readonly asOf: string
  /** The invoices that it paid. */
  readonly items: readonly {
    readonly number: string
    readonly reference: string | null
    readonly amount: number
  }[]
}

/** Makes the PDF files of receipts for clients. */
export interface PaymentReceiptFiles {
  /**
   * Drops the receipt if `signal` aborts before its turn.
   * @throws GateIsFull if too many files are waiting
   * @throws ThreadFailed
   */
  render(receipt: PaymentReceipt, signal?: AbortSignal): Promise<Buffer>
}

/** The sentences of a receipt that was not made. */
export const unmadePaymentReceipt = {
  what: 'receipts',
  instead:
    'The file of this receipt could not be made. The page shows the payment, and you can print it.',
}

/** The texts of a receipt, in the order in which the file has them. */
export interface PaymentReceiptText extends HeadText {
  /** Invoice, reference, paid. */
  readonly items: readonly Row[]
  readonly sum: string
}

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const dayText = (day: string) => days.format(new Date(day))

export function paymentReceiptText(receipt: PaymentReceipt): PaymentReceiptText {
  const { merchant, client, day, means, amount, currency, items, wentBack, asOf } = receipt
  const money = (minor: number) => formatMoney(toMajorUnits(minor, currency), currency)
  const estimated = receipt.isEstimated ? ' The day is estimated.' : ''
  return {
    title: 'Receipt',
    period: dayText(day),
    summary: [
      `${money(amount)} paid ${means} on ${dayText(day)}.${estimated}`,
      ...(wentBack === 0
        ? []
        : [`${money(wentBack)} of it went back to the client by ${dayText(asOf)}.`]),
    ],
    from: fromLines(merchant),
    to: toLines(client),
    items: items.map((item) => ({
      cells: [item.number, item.reference ?? '', money(item.amount)],
      note: '',
    })),
    sum: money(amount),
  }
}
