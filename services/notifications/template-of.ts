import { secondaryEmailChanged } from '#services/accounts/secondary-email-changed'
import { unreachable } from '#services/foundation/decider'
import type { Notification } from './notification.ts'
import { accountBlocked } from './templates/account-blocked.ts'
import { accountDeleted } from './templates/account-deleted.ts'
import { accountUnblocked } from './templates/account-unblocked.ts'
import { administratorsChanged } from './templates/administrators-changed.ts'
import { cancellationScheduled } from './templates/cancellation-scheduled.ts'
import { cancellationWithdrawn } from './templates/cancellation-withdrawn.ts'
import { cardExpiring } from './templates/card-expiring.ts'
import { enquiryReceived } from './templates/enquiry-received.ts'
import { newEnquiry } from './templates/new-enquiry.ts'
import { paymentFailed } from './templates/payment-failed.ts'
import { paymentMethodChanged } from './templates/payment-method-changed.ts'
import { paymentRecovered } from './templates/payment-recovered.ts'
import { planChangeDropped } from './templates/plan-change-dropped.ts'
import { planChangeScheduled } from './templates/plan-change-scheduled.ts'
import { planChanged } from './templates/plan-changed.ts'
import { receipt } from './templates/receipt.ts'
import { refund } from './templates/refund.ts'
import { refundArrived } from './templates/refund-arrived.ts'
import { refundFailed } from './templates/refund-failed.ts'
import { renewalAhead } from './templates/renewal-ahead.ts'
import { subscriptionActivated } from './templates/subscription-activated.ts'
import { subscriptionEnded } from './templates/subscription-ended.ts'
import type { RenderContext, Template } from './templates/template.ts'
import { waysToPayChanged } from './templates/ways-to-pay-changed.ts'
import { welcome } from './templates/welcome.ts'

/** The content of a notification. Pure. A new kind without a template does not compile. */
export function templateOf(notification: Notification, context: RenderContext): Template {
  switch (notification.kind) {
    case 'welcome':
      return welcome(notification, context)
    case 'subscription-activated':
      return subscriptionActivated(notification, context)
    case 'receipt':
      return receipt(notification, context)
    case 'renewal-ahead':
      return renewalAhead(notification)
    case 'card-expiring':
      return cardExpiring(notification)
    case 'payment-method-changed':
      return paymentMethodChanged(notification)
    case 'payment-failed':
      return paymentFailed(notification)
    case 'payment-recovered':
      return paymentRecovered(notification)
    case 'cancellation-scheduled':
      return cancellationScheduled(notification)
    case 'cancellation-withdrawn':
      return cancellationWithdrawn(notification)
    case 'subscription-ended':
      return subscriptionEnded(notification)
    case 'plan-changed':
      return planChanged(notification)
    case 'plan-change-scheduled':
      return planChangeScheduled(notification)
    case 'plan-change-dropped':
      return planChangeDropped(notification)
    case 'refund':
      return refund(notification, context)
    case 'refund-arrived':
      return refundArrived(notification, context)
    case 'refund-failed':
      return refundFailed(notification, context)
    case 'account-blocked':
      return accountBlocked(notification, context)
    case 'account-unblocked':
      return accountUnblocked(notification, context)
    case 'secondary-email-added':
      return secondaryEmailChanged({ change: 'added', ...notification }, context.brand)
    case 'secondary-email-removed':
      return secondaryEmailChanged({ change: 'removed', ...notification }, context.brand)
    case 'ways-to-pay-changed':
      return waysToPayChanged(notification)
    case 'account-deleted':
      return accountDeleted(notification, context)
    case 'administrators-changed':
      return administratorsChanged(notification, context)
    case 'enquiry-received':
      return enquiryReceived(context)
    case 'new-enquiry':
      return newEnquiry(notification)
    default:
      return unreachable(notification)
  }
}
