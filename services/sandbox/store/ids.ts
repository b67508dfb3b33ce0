import { randomInt } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Stripe's prefixes, and the length of the rest of the id. */
const forms = {
  customer: ['cus_', 14],
  'checkout.session': ['cs_test_a1', 56],
  subscription: ['sub_1', 23],
  subscription_item: ['si_', 14],
  invoice: ['in_1', 23],
  line_item: ['il_1', 23],
  item: ['li_1', 23],
  invoice_payment: ['inpay_1', 23],
  invoiceitem: ['ii_1', 23],
  payment_intent: ['pi_3', 23],
  payment_method: ['pm_1', 23],
  charge: ['ch_3', 23],
  price: ['price_1', 23],
  product: ['prod_', 14],
  refund: ['re_3', 23],
  discount: ['di_1', 23],
  dispute: ['du_1', 23],
  credit_note: ['cn_1', 23],
  credit_note_line_item: ['cnli_1', 23],
  balance_transaction: ['txn_1', 23],
  tax_rate: ['txr_1', 23],
  customer_balance_transaction: ['cbtxn_1', 23],
  event: ['evt_1', 23],
  'billing_portal.session': ['bps_1', 40],
  'billing_portal.configuration': ['bpc_1', 23],
  subscription_schedule: ['sub_sched_1', 23],
  webhook_endpoint: ['we_1', 23],
  account: ['acct_1', 15],
  application_fee: ['fee_1', 23],
  fee_refund: ['fr_1', 23],
  payout: ['po_1', 23],
  request: ['req_', 14],
  message: ['msg_', 20],
  text: ['SM', 32],
} as const

/**
 * A new id in Stripe's form: `cus_Q3…`. Portal and checkout ids have as many random characters as
 * Stripe's.
 */
export function newId(kind: keyof typeof forms): string {
  const [prefix, length] = forms[kind]
  return prefix + randomText(length)
}

export function randomText(length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
}
