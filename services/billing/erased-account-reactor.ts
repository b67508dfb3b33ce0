import { parseUserId } from '#contracts/ids'
import { erasePerson, type EraseParts } from '#services/accounts/erase-person'
import { streamOwner } from '#services/foundation/stream-names'
import { eventConsumer } from '#services/foundation/event-consumer'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import type { Billing } from './billing-service.ts'

const erasedAccounts = eventConsumer({
  name: 'erased accounts',
  concernedBy: ['erasure'],
  ignores: ['ClientErased', 'EnquiryErased', 'MerchantErased'],
})

const name = 'erased-account'

/**
 * PersonalDataErased: completes an erasure that was interrupted, and closes the checkout pages that
 * another request opened while the person was erased.
 *
 * A checkout is recorded before its address leaves the product, and the account is checked after
 * that. So either this reactor finds the checkout, or the check finds the erasure.
 */
export function erasedAccountReactor({
  billing,
  ...parts
}: EraseParts & {
  readonly billing: Pick<Billing, 'endBlocked' | 'closeCheckouts'>
}): Reactor {
  return defineReactor({
    name,
    handles: [erasedAccounts],
    async effect(event) {
      const userId = parseUserId(streamOwner(event.stream))
      const context = reactorContext(name, event)
      await erasePerson(userId, parts, context)
      await billing.endBlocked(userId, context)
      await billing.closeCheckouts(userId, context)
    },
  })
}
