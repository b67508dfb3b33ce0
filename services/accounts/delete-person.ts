import type { ProviderRef } from '#contracts/events/provider-ref'
import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import { accountStream } from '#services/foundation/stream-names'
import { accountDecider } from './account-decider.ts'
import { assertErasable, beforeErasure } from './assert-erasable.ts'
import { erasePerson, type Erased, type EraseParts } from './erase-person.ts'

/** Injected, because billing imports accounts. */
interface PersonBilling {
  /** Whether the account has a customer at the payment provider. */
  hasCustomer(userId: UserId): Promise<boolean>
  /** Returns the subscriptions that the provider can still charge. See `Billing.close`. */
  close(
    userId: UserId,
    isCanceling: boolean,
    context: CommandContext,
  ): Promise<readonly ProviderRef[]>
}

export interface DeleteParts extends EraseParts {
  readonly billing: PersonBilling
}

type Deleted =
  | { readonly kind: Erased }
  /** Nothing was erased. `subscriptions` are those that the provider can still charge. */
  | { readonly kind: 'still-charged'; readonly subscriptions: readonly ProviderRef[] }

/** A payment that arrives while the plans end starts another plan. */
const maxCloses = 3

/**
 * Ends the plans of a person at the provider, then erases the person. If this release cannot read
 * an event of the person, no plan ends. If a plan stays live, or the provider fails, nothing is
 * erased. Without `isCanceling` a live plan is not canceled. A repeat completes an interrupted
 * deletion. `erasedAccountReactor` closes a checkout that another request opens meanwhile.
 * @throws PaymentProviderUnavailable, PaymentProviderRefused, EventStoreUnavailable
 * @throws NotErasable. Nothing was erased.
 * @throws StartupError if the address was claimed under another EMAIL_HMAC_KEY
 */
export async function deletePerson(
  userId: UserId,
  isCanceling: boolean,
  { billing, ...parts }: DeleteParts,
  context: CommandContext,
): Promise<Deleted> {
  const { state } = await parts.commands.load({
    decider: accountDecider,
    stream: accountStream(userId),
  })
  if (state.kind === 'open' && (await beforeErasure(() => billing.hasCustomer(userId)))) {
    await assertErasable(state, true, parts)
    const subscriptions = await endPlans()
    if (subscriptions.length > 0) return { kind: 'still-charged', subscriptions }
  }
  return { kind: await erasePerson(userId, parts, context) }

  async function endPlans(): Promise<readonly ProviderRef[]> {
    let live: readonly ProviderRef[] = []
    for (let attempt = 1; attempt <= maxCloses; attempt += 1) {
      const commandId = `${context.commandId} end plans ${attempt}`
      live = await billing.close(userId, isCanceling, { ...context, commandId })
      if (live.length === 0 || !isCanceling) return live
    }
    return live
  }
}
