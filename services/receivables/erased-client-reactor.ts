import { parseClientId, parseUserId } from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import type { ClientErasure } from './erase-clients.ts'

const name = 'erased-clients'

const erasures = eventConsumer({
  name: 'erasure of clients',
  concernedBy: ['erasure'],
  ignores: ['EnquiryErased', 'MerchantErased'],
})

/**
 * Destroys the keys of erased clients, and erases all clients of an erased account. It completes
 * what a request or an erasure by command has begun; a repeat changes nothing.
 */
export function erasedClientReactor(erasure: ClientErasure): Reactor {
  return defineReactor({
    name,
    handles: [erasures],
    async effect(event) {
      const context = reactorContext(name, event)
      switch (event.type) {
        case 'ClientErased': {
          const { merchantId, clientId } = event.data
          await erasure.eraseClient(parseUserId(merchantId), parseClientId(clientId), context)
          return
        }
        case 'PersonalDataErased':
          await erasure.eraseMerchant(parseUserId(streamOwner(event.stream)), context)
          return
        default:
          unreachable(event)
      }
    },
  })
}
