import { reaching, type Operation } from './operation.ts'
import { accountLinkOperations } from './resources/account-links.ts'
import { accountOperations, currentAccountOperations } from './resources/accounts.ts'
import { applicationFeeOperations } from './resources/application-fees.ts'
import { balanceOperations } from './resources/balance.ts'
import { catalogueOperations } from './resources/catalogue.ts'
import { chargeOperations } from './resources/charges.ts'
import { checkoutOperations } from './resources/checkout-sessions.ts'
import { couponOperations } from './resources/coupons.ts'
import { creditNoteOperations } from './resources/credit-notes.ts'
import { customerOperations } from './resources/customers.ts'
import { disputeOperations } from './resources/disputes.ts'
import { eventOperations } from './resources/events.ts'
import { invoiceItemOperations } from './resources/invoice-items.ts'
import { invoicePreviewOperations } from './resources/invoice-previews.ts'
import { invoiceActionOperations } from './resources/invoice-actions.ts'
import { invoiceOperations } from './resources/invoices.ts'
import { paymentIntentOperations } from './resources/payment-intents.ts'
import { paymentMethodActionOperations } from './resources/payment-method-actions.ts'
import { paymentMethodOperations } from './resources/payment-methods.ts'
import { portalConfigurationOperations } from './resources/portal-configurations.ts'
import { portalOperations } from './resources/portal-sessions.ts'
import { refundOperations } from './resources/refunds.ts'
import { subscriptionScheduleOperations } from './resources/subscription-schedules.ts'
import { subscriptionOperations } from './resources/subscriptions.ts'
import { webhookEndpointOperations } from './resources/webhook-endpoints.ts'
import { taxRateOperations } from './resources/tax-rates.ts'

/** Every call of Stripe's API that the sandbox answers. */
export const operations: readonly Operation[] = [
  ...customerOperations,
  ...reaching('both', checkoutOperations),
  ...subscriptionOperations,
  ...subscriptionScheduleOperations,
  ...invoicePreviewOperations,
  ...invoiceOperations,
  ...invoiceActionOperations,
  ...invoiceItemOperations,
  ...reaching('both', paymentIntentOperations),
  ...paymentMethodOperations,
  ...paymentMethodActionOperations,
  ...reaching('both', chargeOperations),
  ...reaching('both', refundOperations),
  ...reaching('both', disputeOperations),
  ...creditNoteOperations,
  ...taxRateOperations,
  ...couponOperations,
  ...catalogueOperations,
  ...reaching('both', eventOperations),
  ...portalOperations,
  ...portalConfigurationOperations,
  ...webhookEndpointOperations,
  ...reaching('both', currentAccountOperations),
  ...accountOperations,
  ...accountLinkOperations,
  ...applicationFeeOperations,
  ...reaching('accounts', balanceOperations),
]
