import { textOfRef, type ProviderRef } from '#contracts/events/provider-ref'
import type { CommandContext } from '#services/commands/command-context'
import type { NewCustomer, PaymentProvider } from '#services/payments/payment-provider'
import type { BillingStream } from './billing-stream.ts'

/** Creates customers at the provider and records which account each of them belongs to. */
export function createCustomerLinking(
  { load, handleAndEndBlocked, now }: Pick<BillingStream, 'load' | 'handleAndEndBlocked' | 'now'>,
  provider: Pick<PaymentProvider, 'createCustomer' | 'isCustomerDeleted'>,
) {
  return { linkCustomer, replaceDeletedCustomer }

  /**
   * Links the account to a new customer at the provider if it is linked to `replaces`, null for no
   * customer. True if this call created the customer, so that the provider has nothing of it.
   */
  async function linkCustomer(
    customer: NewCustomer,
    replaces: ProviderRef | null,
    context: CommandContext,
  ): Promise<boolean> {
    const { userId } = customer
    const before = await load(userId)
    if (before.state.customerRef !== replaces) return false
    // The first customer's key would return the customer that was deleted.
    const idempotencyKey =
      replaces === null ? `customer ${userId}` : `customer ${userId} after ${textOfRef(replaces)}`
    const { customerRef, isNew } = await provider.createCustomer({ ...customer, idempotencyKey })
    const { state } = await handleAndEndBlocked(
      userId,
      { type: 'link-customer', customerRef, replaces, at: now() },
      {
        ...context,
        commandId: `${context.commandId} link after ${textOfRef(replaces) ?? 'none'}`,
      },
    )
    return isNew && state.customerRef === customerRef
  }

  /** True if the customer was deleted at the provider, so that the next attempt can succeed. */
  async function replaceDeletedCustomer(
    customer: NewCustomer,
    customerRef: ProviderRef,
    context: CommandContext,
  ): Promise<boolean> {
    if (!(await provider.isCustomerDeleted(customerRef))) return false
    await linkCustomer(customer, customerRef, context)
    return true
  }
}
