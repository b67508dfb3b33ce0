import type { UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { merchantStream } from '#services/foundation/stream-names'
import {
  merchantDecider,
  type MerchantCommand,
  type MerchantRefusal,
  type MerchantState,
} from '../merchant-decider.ts'
import type { Brand, BrandState } from './decide-brand.ts'
import { encodeLogo } from './encode-logo.ts'
import type { Logos } from './logos.ts'

type Changed =
  | { readonly kind: 'refused'; readonly refusal: MerchantRefusal }
  | { readonly kind: 'refused-logo'; readonly sentence: string }
  | { readonly kind: 'changed'; readonly brand: BrandState; readonly position: Position | null }

interface WantedBrand extends Omit<Brand, 'logo'> {
  /** The file that the merchant chose. */
  readonly logo: 'keep' | 'remove' | Buffer
}

/** What the clients of merchants see of them. */
export interface Brands {
  /** The settings of a merchant, with its brand and templates. @throws EventStoreUnavailable */
  settingsOf(merchantId: UserId): Promise<MerchantState>
  /** @throws EventStoreUnavailable */
  change(
    merchantId: UserId,
    wanted: WantedBrand & { readonly basedOn: number },
    context: CommandContext,
  ): Promise<Changed>
  /** By an administrator, who saw this name. @throws EventStoreUnavailable */
  approveSenderName(
    merchantId: UserId,
    name: string,
    context: CommandContext,
  ): Promise<Exclude<Changed, { kind: 'refused-logo' }>>
}

export function createBrands({
  commands,
  logos,
  clock,
}: {
  readonly commands: Pick<CommandHandler, 'handle' | 'load'>
  readonly logos: Logos
  /** The business clock. */
  readonly clock: Clock
}): Brands {
  async function settingsOf(merchantId: UserId): Promise<MerchantState> {
    const { state } = await commands.load({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
    })
    return state
  }

  async function send(merchantId: UserId, command: MerchantCommand, context: CommandContext) {
    const handled = await commands.handle({
      decider: merchantDecider,
      stream: merchantStream(merchantId),
      command,
      context,
    })
    return handled.kind === 'refused'
      ? ({ kind: 'refused', refusal: handled.refusal } as const)
      : ({ kind: 'changed', brand: handled.state.brand, position: handled.position } as const)
  }

  async function logoOf(merchantId: UserId, wanted: WantedBrand['logo']) {
    if (wanted === 'remove') return { kind: 'encoded', logo: null } as const
    if (wanted === 'keep')
      return { kind: 'encoded', logo: (await settingsOf(merchantId)).brand.logo } as const
    const encoded = await encodeLogo(wanted)
    if (encoded.kind === 'encoded') await logos.store(merchantId, encoded.logo, encoded.content)
    return encoded
  }

  return {
    settingsOf,

    async change(merchantId, { basedOn, logo: wanted, ...brand }, context) {
      const encoded = await logoOf(merchantId, wanted)
      if (encoded.kind === 'refused') return { kind: 'refused-logo', sentence: encoded.sentence }
      const changed = await send(
        merchantId,
        {
          type: 'change-brand',
          brand: { ...brand, logo: encoded.logo },
          basedOn,
          at: clock.now().toISOString(),
        },
        context,
      )
      // The erasure can have removed the logos before this one was stored.
      if (changed.kind === 'refused' && changed.refusal === 'erased') await logos.erase(merchantId)
      return changed
    },

    approveSenderName: (merchantId, name, context) =>
      send(
        merchantId,
        { type: 'approve-sender-name', name, at: clock.now().toISOString() },
        context,
      ),
  }
}
