import { randomUUID } from 'node:crypto'
import type { ProviderRef } from '#contracts/events/provider-ref'
import { parseUserId } from '#contracts/ids'
import { billingDecider } from '#services/billing/billing-decider'
import type { CommandContext } from '#services/commands/command-context'
import { createCommandHandler } from '#services/commands/handle-command'
import type { StreamCache } from '#services/commands/stream-cache'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { systemClock } from '#services/foundation/clock'
import { billingStream, signInStream } from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { macKey } from '../../support/event-store/mac-key.ts'

/** Commands of one person, each of which appends one event. `linked` is the person's customer. */
export function commandsOn(
  person: string,
  store: EventStore,
  codec: EventCodec,
  cache: StreamCache | null,
  linked: { customer: ProviderRef | null } = { customer: null },
) {
  const handler = createCommandHandler({ store, codec, clock: systemClock, macKey, cache })
  const userId = parseUserId(person)

  const context = (): CommandContext => ({
    commandId: randomUUID(),
    correlationId: randomUUID(),
    actor: { kind: 'customer', id: userId },
    source: 'api',
  })
  const now = () => systemClock.now().toISOString()

  return {
    /** Loads and folds the stream: the whole stream, or what follows the cached events. */
    async billing(): Promise<void> {
      const replaces = linked.customer
      const customer = refOf(`cus_${randomUUID()}`)
      linked.customer = customer
      const { kind, events } = await handler.handle({
        decider: billingDecider,
        stream: billingStream(userId),
        command: { type: 'link-customer', customerRef: customer, replaces, at: now() },
        context: context(),
      })
      if (kind !== 'accepted' || events.length !== 1)
        throw new Error('The command appended no event.')
    },
    async loadBilling(): Promise<void> {
      await handler.load({ decider: billingDecider, stream: billingStream(userId) })
    },
    /** Reads the last event of the stream. */
    async signIn(): Promise<void> {
      await handler.record({
        stream: signInStream(userId),
        event: { type: 'CodeRefused', data: { reason: 'wrong' }, occurredAt: now() },
        context: context(),
      })
    },
  }
}
