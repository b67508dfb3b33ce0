import { z } from 'zod'
import { ofCustomer } from './of-customer.ts'
import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import type { Prepare } from './walk.ts'

const clientAnswer = z.object({ clientId: z.string() })
const invoiceAnswer = z.object({ receivableId: z.string() })

async function aClient({ client }: TestCustomer): Promise<string> {
  const { body } = await client.post('/api/receivables/clients', { name: 'Grace Whitaker' })
  return clientAnswer.parse(body).clientId
}

const anInvoice = { number: 'AD-1187', dueDate: '2026-01-13', amount: 10_000, currency: 'usd' }

/** A client with an invoice. */
export async function withInvoice(customer: TestCustomer) {
  const clientId = await aClient(customer)
  const path = `/api/receivables/clients/${clientId}/invoices`
  const { body } = await customer.client.post(path, anInvoice)
  return { clientId, ...invoiceAnswer.parse(body) }
}

const withPlan = (customer: TestCustomer, side: AppSide) => side.buy(customer)
/** A page sends each press with one key, also when it repeats it. */
const headers = (key: string) => () => ({ 'idempotency-key': key })

/** What a merchant changes of its clients and invoices. */
export const receivableCalls: Readonly<Record<string, Prepare>> = {
  'POST /api/receivables/clients': ofCustomer(
    'POST /api/receivables/clients',
    () => ({ name: 'Grace Whitaker' }),
    { prepare: withPlan, headers: headers('add-client') },
  ),
  'POST /api/receivables/clients/:clientId/acts': ofCustomer(
    'POST',
    () => ({ type: 'hold', reason: 'Talks' }),
    {
      prepare: withPlan,
      headers: headers('hold-client'),
      path: async (customer) => `/api/receivables/clients/${await aClient(customer)}/acts`,
    },
  ),
  'POST /api/receivables/clients/:clientId/invoices': ofCustomer('POST', () => anInvoice, {
    prepare: withPlan,
    headers: headers('add-invoice'),
    path: async (customer) => `/api/receivables/clients/${await aClient(customer)}/invoices`,
  }),
  // The surplus becomes a credit in the client's stream.
  'POST /api/receivables/invoices/:receivableId/acts': ofCustomer(
    'POST',
    () => ({
      type: 'record-payment',
      date: '2026-01-20',
      amount: 12_000,
      method: 'check',
      openSeen: 10_000,
      surplusBecomesCredit: true,
    }),
    {
      prepare: withPlan,
      headers: headers('pay-invoice'),
      path: async (customer) =>
        `/api/receivables/invoices/${(await withInvoice(customer)).receivableId}/acts`,
    },
  ),
}
