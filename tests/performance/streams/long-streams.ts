import type { DomainEvent, StreamCategory } from '#contracts/events/catalogue'
import { parseUserId } from '#contracts/ids'
import { chain, type UnchainedEvent } from '#services/event-store/audit/hash-chain'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventToRestore } from '#services/event-store/event-log'
import { eventIdOfCommand } from '#services/commands/event-ids'
import { billingStream, signInStream, type StreamName } from '#services/foundation/stream-names'
import { macKey } from '../../support/event-store/mac-key.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const first = Date.parse('2020-01-01T00:00:00.000Z')
const minute = 60_000

/** A subscription with a renewal and a payment in turn. */
export function longBillingStream(
  person: string,
  length: number,
  codec: Pick<EventCodec, 'encode'>,
): Promise<readonly EventToRestore[]> {
  return streamOf(billingStream(parseUserId(person)), length, codec, (index) => {
    if (index === 0) return ['SubscriptionStarted', samplePayloads.SubscriptionStarted]
    if (index % 2 === 0) return ['SubscriptionRenewed', samplePayloads.SubscriptionRenewed]
    const payment = samplePayloads.PaymentSucceeded
    const ids = { paymentId: `payment_${index}`, invoiceRef: `stripe:in_${index}` }
    return ['PaymentSucceeded', { ...payment, ...ids }]
  })
}

/** An account under attack: codes are requested and refused. */
export function longSignInStream(
  person: string,
  length: number,
  codec: Pick<EventCodec, 'encode'>,
): Promise<readonly EventToRestore[]> {
  return streamOf(signInStream(parseUserId(person)), length, codec, (index) =>
    index % 2 === 0
      ? ['CodeRequested', { email: 'attacked@example.com', resend: 0 }]
      : ['CodeRefused', { reason: 'wrong' }],
  )
}

async function streamOf(
  stream: StreamName<StreamCategory>,
  length: number,
  codec: Pick<EventCodec, 'encode'>,
  eventAt: (index: number) => readonly [DomainEvent['type'], object],
): Promise<readonly EventToRestore[]> {
  const events: UnchainedEvent[] = []
  for (let index = 0; index < length; index += 1) {
    const [type, data] = eventAt(index)
    const occurredAt = new Date(first + index * minute).toISOString()
    const commandId = `bench-${index}`
    const id = eventIdOfCommand(stream, commandId, 0)
    const encoded = await codec.encode(stream, { id, type, data })
    events.push({
      id,
      type,
      data: encoded.data,
      metadata: {
        correlationId: commandId,
        causationId: commandId,
        actor: { kind: 'payment-provider', id: 'stripe' },
        source: 'webhook',
        occurredAt,
        recordedAt: occurredAt,
        schemaVersion: encoded.schemaVersion,
      },
    })
  }
  return chain(stream, undefined, events, macKey).map((event, revision) => ({
    ...event,
    stream,
    revision,
  }))
}
