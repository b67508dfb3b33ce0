import type { KeyObject } from 'node:crypto'
import type { StopId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { contactStopStream } from '#services/foundation/stream-names'
import {
  contactStopDecider,
  type ContactStopCommand,
  type StopVia,
} from './contact-stop-decider.ts'
import type { Channel, Reached } from './stop-ids.ts'

type Handling = Pick<CommandHandler, 'handle' | 'load'>

/** How each of these was stopped, as a read model knows it. Others are left out. */
export type StoppedAmong = (stopIds: readonly StopId[]) => Promise<ReadonlyMap<string, StopVia>>

export interface ContactStops {
  /** Identifies a number without revealing it. Null for a text that is no number. */
  idOfPhone(phone: string): Promise<StopId | null>
  /** Whether STOP was answered from the number, as the log says now. */
  isPhoneStopped(phone: string): Promise<boolean>
  /** False for a text that is no number. */
  stopPhone(
    phone: string,
    via: Extract<StopVia, 'text' | 'provider'>,
    context: CommandContext,
  ): Promise<boolean>
  /** START from the number. False for a text that is no number. */
  resumePhone(phone: string, context: CommandContext): Promise<boolean>
  /**
   * What keeps the messages of a merchant from a client, as the log says now. Null: nothing. A
   * number that answered STOP is stopped whatever the portal says.
   */
  stopsOf(
    merchantId: UserId,
    reached: Reached,
  ): Promise<{ readonly mail: StopVia | null; readonly text: StopVia | null }>
  /**
   * As `stopsOf` of each, from the read model: for lists and previews of up to 40,000 clients. It
   * may be a second old.
   */
  manyStopsOf(
    merchantId: UserId,
    reached: readonly Reached[],
  ): Promise<readonly { readonly mail: StopVia | null; readonly text: StopVia | null }[]>
  /** Identifies an address for the merchant. Null for a text that is no address or number. */
  idOfAddress(merchantId: UserId, address: PortalAddress): Promise<StopId | null>
  stopAddress(
    merchantId: UserId,
    address: PortalAddress,
    via: Extract<StopVia, 'portal' | 'one-click'>,
    context: CommandContext,
  ): Promise<void>
  resumeAddress(merchantId: UserId, address: PortalAddress, context: CommandContext): Promise<void>
}

/** What a client stops in the portal of a merchant. */
export interface PortalAddress {
  readonly channel: Channel
  /** An e-mail address or a phone number, as the merchant wrote it. */
  readonly address: string
}

export function createContactStops({
  commands,
  clock,
  key,
  stoppedAmong,
}: {
  readonly commands: Handling
  /** The business clock. */
  readonly clock: Clock
  /** Of the HMACs (`stopKeyOf`). */
  readonly key: KeyObject
  readonly stoppedAmong: StoppedAmong
}): ContactStops {
  // With the first address: libphonenumber's numbers of all countries take time at a start.
  const load = async () => (await import('./stop-ids.ts')).createStopIds(key)
  let loading: ReturnType<typeof load> | undefined
  const ids = () => (loading ??= load())

  const viaOf = async (stopId: StopId | null): Promise<StopVia | null> => {
    if (stopId === null) return null
    const stream = contactStopStream(stopId)
    return (await commands.load({ decider: contactStopDecider, stream })).state.stoppedVia
  }
  const at = () => clock.now().toISOString()

  async function handle(
    stopId: StopId | null,
    command: ContactStopCommand,
    context: CommandContext,
  ): Promise<boolean> {
    if (stopId === null) return false
    await commands.handle({
      decider: contactStopDecider,
      stream: contactStopStream(stopId),
      command,
      context,
    })
    return true
  }

  return {
    idOfPhone: async (phone) => (await ids()).ofPhone(phone),
    isPhoneStopped: async (phone) => (await viaOf((await ids()).ofPhone(phone))) !== null,
    stopPhone: async (phone, via, context) =>
      handle((await ids()).ofPhone(phone), { type: 'stop', via, at: at() }, context),
    resumePhone: async (phone, context) =>
      handle((await ids()).ofPhone(phone), { type: 'resume', via: 'text', at: at() }, context),
    async stopsOf(merchantId, { email, phone }) {
      const known = await ids()
      const ofMerchant = (channel: Channel, address: string | null) =>
        viaOf(address === null ? null : known.ofMerchant(channel, merchantId, address))
      const [mail, text, number] = await Promise.all([
        ofMerchant('mail', email),
        ofMerchant('text', phone),
        viaOf(phone === null ? null : known.ofPhone(phone)),
      ])
      return { mail, text: number ?? text }
    },
    async manyStopsOf(merchantId, reached) {
      const known = await ids()
      const idsOf = reached.map(({ email, phone }) => ({
        mail: email === null ? null : known.ofMerchant('mail', merchantId, email),
        text: phone === null ? null : known.ofMerchant('text', merchantId, phone),
        number: phone === null ? null : known.ofPhone(phone),
      }))
      const all = idsOf.flatMap(({ mail, text, number }) => [mail, text, number])
      const found = await stoppedAmong(all.filter((id) => id !== null))
      const stopOf = (id: StopId | null) => (id === null ? null : (found.get(id) ?? null))
      return idsOf.map(({ mail, text, number }) => ({
        mail: stopOf(mail),
        text: stopOf(number) ?? stopOf(text),
      }))
    },
    idOfAddress: async (merchantId, { channel, address }) =>
      (await ids()).ofMerchant(channel, merchantId, address),
    async stopAddress(merchantId, { channel, address }, via, context) {
      const id = (await ids()).ofMerchant(channel, merchantId, address)
      await handle(id, { type: 'stop', via, at: at() }, context)
    },
    async resumeAddress(merchantId, { channel, address }, context) {
      const id = (await ids()).ofMerchant(channel, merchantId, address)
      await handle(id, { type: 'resume', via: 'portal', at: at() }, context)
    },
  }
}
