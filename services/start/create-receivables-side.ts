import { businessOf } from '#services/accounts/business-of'
import { loadAccount } from '#services/accounts/load-account'
import { billingDecider } from '#services/billing/billing-decider'
import { startedSubscriptions } from '#services/billing/billing-state'
import type { CommandHandler } from '#services/commands/handle-command'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { billingStream } from '#services/foundation/stream-names'
import { timeZoneOfState } from '#services/receivables/default-time-zone'
import type { MerchantOf } from '#services/receivables/merchant-access'
import { createReceivables, type Receivables } from '#services/receivables/receivables-service'
import { planOfMerchant } from '#services/receivables/plan-of-merchant'

/** What receivables needs to know of an account, from its stream and its billing stream. */
export function createMerchantOf(commands: CommandHandler): MerchantOf {
  return async (merchantId) => {
    const account = await loadAccount(commands, merchantId)
    const stream = billingStream(merchantId)
    const { state: billing } = await commands.load({ decider: billingDecider, stream })
    return {
      ...businessOf(account),
      // An account that is erased has no plan, whatever the provider's last state is.
      ...planOfMerchant(account.kind === 'open' ? startedSubscriptions(billing) : []),
    }
  }
}

export function createIsErased(commands: Pick<CommandHandler, 'load'>) {
  return async (merchantId: UserId): Promise<boolean> =>
    (await loadAccount(commands, merchantId)).kind === 'erased'
}

/** Receivables, with what they need of accounts. */
export function createReceivablesSide({
  commands,
  keys,
  clock,
}: {
  readonly commands: CommandHandler
  readonly keys: Pick<PersonalKeys, 'createAll'>
  /** The business clock. */
  readonly clock: Clock
}): Receivables {
  return createReceivables({
    commands,
    keys,
    clock,
    isErased: createIsErased(commands),
    async defaultTimeZone(merchantId) {
      const account = await loadAccount(commands, merchantId)
      return timeZoneOfState(account.kind === 'open' ? (account.profile?.state ?? null) : null)
    },
  })
}
