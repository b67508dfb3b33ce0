import type Stripe from 'stripe'
import { storable } from '#contracts/storable-text'
import type { ConnectedAccountEvent } from '../client-payments.ts'
import type { ClaimingObject } from './client-payments.ts'
import { claimIn, merchantIn } from './from-stripe/claims.ts'
import { instantOf, refOf, refOrNull } from './from-stripe/references.ts'

/** An event of the endpoint for merchants' accounts. */
export function connectedAccountEventOf(event: Stripe.Event): ConnectedAccountEvent {
  return storable({
    eventRef: refOf(event.id),
    type: event.type,
    created: instantOf(event.created),
    apiVersion: event.api_version,
    accountRef: refOrNull(event.account),
    about: aboutOf(event),
  })
}

function aboutOf({ type, data }: Stripe.Event): ConnectedAccountEvent['about'] {
  const object = data.object as ClaimingObject
  if (type === 'account.application.deauthorized' || object.object === 'account')
    return { kind: 'account', merchantId: merchantIn(object.metadata) }
  const claim = claimIn(object.metadata)
  if (claim !== null) return { kind: 'checkout', claim }
  const paymentRef = refOrNull(object.payment_intent)
  return paymentRef === null ? { kind: 'other' } : { kind: 'payment', paymentRef }
}
