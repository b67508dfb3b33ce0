import { parseUserId, type UserId } from '#contracts/ids'
import type { EventCodec } from '#services/event-store/encryption/codec'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import { clientDecider } from '#services/receivables/client-decider'
import { clientIdOf, receivableIdOf } from '#services/receivables/receivable-id'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { inventClient } from '../../../scripts/billing/demo/receivables/invented-clients.ts'
import { createRandom, type Random } from '../../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { createSimulatedStream, type SimulatedAppend } from '../log/simulated-stream.ts'

const clientsOfMerchant = 100
const invoicesOfClient = 10
const openOfMerchant = clientsOfMerchant * invoicesOfClient

const firstDay = parseDay('2026-03-01')
if (firstDay === null) throw new Error('The first day is no day.')
const began: Day = firstDay

/**
 * The log of `open` open invoices, in the order of merchants: 1,000 a merchant, 10 a client.
 * Three of ten are paid in part. Made by the product's deciders, codec and hash chain.
 */
export async function* simulateReceivables(
  open: number,
  codec: Pick<EventCodec, 'encode'>,
): AsyncGenerator<SimulatedAppend> {
  const random = createRandom(seededRandom(35))
  for (let merchant = 0; merchant * openOfMerchant < open; merchant += 1) {
    const merchantId = parseUserId(`usr_${random.uuid().replaceAll('-', '').slice(0, 24)}`)
    for (let client = 0; client < clientsOfMerchant; client += 1)
      yield* simulateClient(merchantId, client, random, codec)
  }
}

async function* simulateClient(
  merchantId: UserId,
  index: number,
  random: Random,
  codec: Pick<EventCodec, 'encode'>,
): AsyncGenerator<SimulatedAppend> {
  const cause = { actor: { kind: 'customer', id: merchantId }, source: 'api' } as const
  const clientId = clientIdOf(`${merchantId} ${index}`)
  const sent = (day: Day) => ({ merchantId, today: day, at: `${day}T17:00:00.000Z` })
  const at = (day: Day) => Date.parse(`${day}T17:00:00.000Z`)

  const client = createSimulatedStream(clientStream(clientId), clientDecider, random, codec)
  const details = inventClient(index, random)
  yield* await client({ type: 'add-client', clientId, details, ...sent(began) }, at(began), cause)
  for (let each = 0; each < invoicesOfClient; each += 1) {
    const number = `INV-${index}-${each}`
    const receivableId = receivableIdOf(clientId, number)
    const issued = addDays(began, each * 20)
    const amount = Math.round(random.between(1_000, 250_000))
    const receivable = createSimulatedStream(
      receivableStream(receivableId),
      receivableDecider,
      random,
      codec,
    )
    yield* await receivable(
      {
        type: 'add-receivable',
        clientId,
        receivableId,
        number,
        currency: 'usd',
        details: {
          issueDate: issued,
          dueDate: addDays(issued, 30),
          amount,
          reference: `Visit of ${issued}`,
          url: null,
        },
        ...sent(issued),
      },
      at(issued),
      cause,
    )
    if (each % 4 !== 0) continue
    const paid = addDays(issued, 25)
    yield* await receivable(
      {
        type: 'record-payment',
        payment: {
          paymentId: random.uuid(),
          date: paid,
          amount: Math.floor(amount / 2),
          method: 'check',
          note: null,
        },
        openSeen: amount,
        surplusBecomesCredit: false,
        isEstimated: false,
        ...sent(paid),
      },
      at(paid),
      cause,
    )
  }
}
