import { z } from 'zod'
import { addClientResponse } from '#contracts/receivables/client-requests'
import { clientResponse } from '#contracts/receivables/clients'
import { addInvoiceResponse } from '#contracts/receivables/invoice-requests'
import { invoiceResponse } from '#contracts/receivables/invoice'
import { pressAt } from '../product/connected-accounts.ts'
import type { Merchant } from './merchant.ts'

const path = '/api/receivables'

async function post(merchant: Pick<Merchant, 'client'>, to: string, body: object) {
  const answer = await merchant.client.post(`${path}/${to}`, body)
  if (answer.status !== 200)
    throw new Error(`${to} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** Connects an account at the provider, whose form is completed. */
export async function connectAccountOf(
  merchant: Pick<Merchant, 'client'>,
  businessName = 'Alder Dental',
): Promise<void> {
  const { url } = z
    .object({ url: z.string() })
    .parse(await post(merchant, 'payments/account/connect', {}))
  const opened = await fetch(url, { redirect: 'manual' })
  const form = new URL(opened.headers.get('location') ?? '', url).href
  const { status } = await pressAt(form, 'finish', businessName)
  if (status !== 303) throw new Error(`The form of the account answered ${status}.`)
  await post(merchant, 'payments/account/refresh', {})
}

/** A client, its portal and its invoices, by the calls of the merchant. */
export async function addPayingClient(
  merchant: Pick<Merchant, 'client' | 'day'>,
  invoices: readonly { readonly number: string; readonly due: number; readonly amount: number }[],
  name = 'Grace Whitaker',
) {
  const { clientId } = addClientResponse.parse(
    await post(merchant, 'clients', { name, email: 'g.whitaker@postbox.example' }),
  )
  const ids: string[] = []
  for (const { number, due, amount } of invoices) {
    const days = { issueDate: merchant.day(-60), dueDate: merchant.day(due) }
    const body = { number, ...days, amount, currency: 'usd' }
    const added = await post(merchant, `clients/${clientId}/invoices`, body)
    ids.push(addInvoiceResponse.parse(added).receivableId)
  }
  const page = async () =>
    clientResponse.parse((await merchant.client.get(`${path}/clients/${clientId}`)).body)
  return {
    clientId,
    ids,
    page,
    link: (await page()).portal?.url ?? '',
    invoice: async (id: string) =>
      invoiceResponse.parse((await merchant.client.get(`${path}/invoices/${id}`)).body),
    act: (id: string, body: object) => post(merchant, `invoices/${id}/acts`, body),
  }
}
