import type { InvoiceResponse } from '#contracts/receivables/invoice'
import { unreachable } from '../../../lib/unreachable.ts'
import type { InvoiceAct } from '../../../api/receivables-api.ts'
import type { ActForm } from './act-form.ts'
import * as agreements from './agreement-forms.ts'
import * as credits from './credit-forms.ts'
import { changeInvoice } from './details-form.ts'
import * as ends from './end-forms.ts'
import * as payments from './payment-forms.ts'

type InvoiceActType = InvoiceAct['type']

/** An act of the page. Two acts are about one payment, one about a use of a credit. */
export type ChosenAct =
  | {
      readonly type: Exclude<
        InvoiceActType,
        'correct-payment' | 'reverse-payment' | 'take-credit-back'
      >
    }
  | {
      readonly type: 'correct-payment' | 'reverse-payment'
      readonly payment: payments.Payment
    }
  | { readonly type: 'take-credit-back'; readonly use: credits.CreditUse }

export function invoiceForm(act: ChosenAct, invoice: InvoiceResponse): ActForm {
  switch (act.type) {
    case 'change':
      return changeInvoice(invoice)
    case 'record-payment':
      return payments.recordPayment(invoice)
    case 'correct-payment':
      return payments.correctPayment(invoice, act.payment)
    case 'reverse-payment':
      return payments.reversePayment(invoice, act.payment)
    case 'issue-credit-memo':
      return credits.issueCreditMemo(invoice)
    case 'apply-credit':
      return credits.applyCredit(invoice)
    case 'take-credit-back':
      return credits.takeCreditBack(invoice, act.use)
    case 'hold':
      return agreements.hold(invoice.number, invoice.today)
    case 'release':
      return agreements.release(invoice.number)
    case 'promise':
      return agreements.promise(invoice)
    case 'withdraw-promise':
      return agreements.withdrawPromise(invoice)
    case 'dispute':
      return agreements.dispute(invoice)
    case 'resolve-dispute':
      return agreements.resolveDispute(invoice)
    case 'write-off':
      return ends.writeOff(invoice)
    case 'cancel':
      return ends.cancel(invoice)
    case 'reopen':
      return ends.reopen(invoice)
    default:
      return unreachable(act)
  }
}
