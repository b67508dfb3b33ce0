import { parseClientId } from '#contracts/ids'
import type { OwingClient } from '#services/receivables/schedule/owing-client'

/** A client in New York that owes one invoice, as the read model gives it to a forecast. */
export function owingClient(index: number, changes: Partial<OwingClient> = {}): OwingClient {
  return {
    clientId: parseClientId(`client_${String(index).padStart(4, '0')}`),
    name: `Client ${index}`,
    email: 'ap@client.example',
    phone: null,
    mailBounced: false,
    textBounced: false,
    mayText: false,
    state: 'New York',
    timeZone: null,
    isHeld: false,
    holdUntil: null,
    releasedAt: null,
    owed: [owedInvoice(`AD-${index}`, '2026-12-01')],
    ended: [],
    messages: [],
    payments: [],
    ...changes,
  }
}

/** An invoice of $120.00. */
export function owedInvoice(number: string, dueDate: string): OwingClient['owed'][number] {
  return {
    receivableId: `receivable ${number}`,
    number,
    dueDate,
    open: 12_000,
    currency: 'usd',
    addedAt: '2026-11-01T12:00:00.000Z',
    isHeld: false,
    holdUntil: null,
    promisedBy: null,
    isDisputed: false,
    times: { reopened: null, resumed: null },
  }
}
