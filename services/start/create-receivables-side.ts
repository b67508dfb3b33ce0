import type { CompanyProfile } from '#contracts/events/account'
import { accountDecider } from '#services/accounts/account-decider'
import { billingDecider } from '#services/billing/billing-decider'
import { startedSubscriptions } from '#services/billing/billing-state'
import type { CommandHandler } from '#services/commands/handle-command'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { accountStream, billingStream } from '#services/foundation/stream-names'
import { timeZoneOfState } from '#services/receivables/default-time-zone'
import type { MerchantOf } from '#services/receivables/merchant-access'
import { createReceivables, type Receivables } from '#services/receivables/receivables-service'
import { planOfMerchant } from '#services/receivables/plan-of-merchant'

/** What receivables needs to know of an account, from its stream and its billing stream. */
export function createMerchantOf(commands: CommandHandler): MerchantOf {
  return async (merchantId) => {
    const account = await commands.load({
      decider: accountDecider,
      stream: accountStream(merchantId),
    })
    const billing = await commands.load({
      decider: billingDecider,
      stream: billingStream(merchantId),
    })
    const profile = account.state.kind === 'open' ? account.state.profile : null
    return {
      isBlocked: account.state.kind === 'open' && account.state.isBlocked,
      // An account that is erased has no plan, whatever the provider's last state is.
      ...planOfMerchant(account.state.kind === 'open' ? startedSubscriptions(billing.state) : []),
      companyName: profile?.companyName ?? null,
      isErased: account.state.kind === 'erased',
      email: profile?.supportEmail ?? (account.state.kind === 'open' ? account.state.email : ''),
      phone: profile?.supportPhone ?? null,
      address: profile === null ? [] : addressLines(profile),
    }
  }
}

function addressLines({ address, city, state, zipcode }: CompanyProfile): readonly string[] {
  return [address, `${city === undefined || city === null ? '' : `${city}, `}${state} ${zipcode}`]
}

/** Whether an account was erased. Reads its stream to the end. */
export function createIsErased(commands: Pick<CommandHandler, 'load'>) {
  return async (merchantId: UserId): Promise<boolean> => {
    const { state } = await commands.load({
      decider: accountDecider,
      stream: accountStream(merchantId),
    })
    return state.kind === 'erased'
  }
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
      const { state } = await commands.load({
        decider: accountDecider,
        stream: accountStream(merchantId),
      })
      return timeZoneOfState(state.kind === 'open' ? (state.profile?.state ?? null) : null)
    },
  })
}
