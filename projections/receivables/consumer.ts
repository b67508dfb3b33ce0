import type { DomainEvent } from '#contracts/events/catalogue'
import type { ClientEvent } from '#contracts/events/client'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { eventConsumer, type FoldedBy } from '#services/foundation/event-consumer'

/** The portal's link is on the client's page only, which reads the client's stream. */
export const receivableConsumer = eventConsumer({
  name: 'receivables',
  concernedBy: [
    'client',
    'receivable',
    'movement',
    'client-message',
    'client-checkout',
    'client-payment',
  ],
  ignores: ['PortalLinkRevoked', 'ClientPortalOpened', 'MessageRepeated'],
})

type Folded = Extract<DomainEvent, { type: FoldedBy<typeof receivableConsumer> }>
export type FoldedClientEvent = Extract<Folded, ClientEvent>
export type FoldedReminderEvent = Extract<Folded, ClientReminderEvent>
export type FoldedReceivableEvent = Extract<Folded, ReceivableEvent>
