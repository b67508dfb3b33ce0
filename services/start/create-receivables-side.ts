import type { UsState } from '#contracts/profile-options'
import { accountDecider } from '#services/accounts/account-decider'
import type { CommandHandler } from '#services/commands/handle-command'
import { parseTimeZone, type TimeZone } from '#services/finance/time-zone'
import type { Clock } from '#services/foundation/clock'
import { accountStream } from '#services/foundation/stream-names'
import { zonesByState } from '#services/foundation/zones-by-state'
import { createReceivables, type Receivables } from '#services/receivables/receivables-service'

/** Receivables, with what they need of accounts. */
export function createReceivablesSide({
  commands,
  clock,
}: {
  readonly commands: CommandHandler
  /** The business clock. */
  readonly clock: Clock
}): Receivables {
  return createReceivables({
    commands,
    clock,
    async defaultTimeZone(merchantId) {
      const { state } = await commands.load({
        decider: accountDecider,
        stream: accountStream(merchantId),
      })
      return zoneOf(state.kind === 'open' ? (state.profile?.state ?? null) : null)
    },
  })
}

/** Without a profile: the zone of New York, where the product's office is. */
function zoneOf(state: string | null): TimeZone {
  const [zone] = isUsState(state) ? zonesByState[state] : zonesByState['New York']
  const known = parseTimeZone(zone)
  if (known !== null) return known
  throw new Error(
    `This Node has no time zone ${zone}. Install a Node with full time zone data (full-icu).`,
  )
}

function isUsState(state: string | null): state is UsState {
  return state !== null && Object.hasOwn(zonesByState, state)
}
