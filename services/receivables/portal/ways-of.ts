import { hostOfGatewayLink } from '#contracts/receivables/gateway-link'
import type { Merchant } from '../merchant-access.ts'
import type { WaysToPay } from '../ways-to-pay/decide-ways-to-pay.ts'
import { shownText } from '../client-card.ts'
import type { PortalWays } from './portal-view.ts'

/** What a client is offered. Without a plan the portal shows what is owed and takes nothing. */
export function waysOf(
  { plan, isBlocked, feeBasisPoints }: Merchant,
  { account, gatewayLink, instructions }: WaysToPay,
  provider: string,
): PortalWays {
  if (plan !== 'usable' || isBlocked)
    return { isOnline: false, provider, gateway: null, instructions: null }
  return {
    isOnline: account?.canCharge === true && feeBasisPoints !== null,
    provider,
    gateway:
      gatewayLink === null ? null : { link: gatewayLink, host: hostOfGatewayLink(gatewayLink) },
    instructions: instructions === null ? null : shownText(instructions),
  }
}
