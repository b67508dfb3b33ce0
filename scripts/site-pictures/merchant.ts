import { randomUUID } from 'node:crypto'
import type { APIRequestContext, APIResponse } from 'playwright'
import { clientResponse, clientsPage } from '#contracts/receivables/clients'

/** A client of the demo's merchant that owes two invoices, one of them overdue. */
const payer = 'Willamette Charter School'

/** Turns the reminders on, so that the schedule shows what it sends. */
export async function turnRemindersOn(api: APIRequestContext, url: string): Promise<void> {
  await accepted(
    await api.post(`${url}/api/receivables/schedule/turn-on`, {
      headers: { 'X-Requested-With': 'fetch', 'Idempotency-Key': randomUUID() },
      data: {},
    }),
  )
}

/** The page where a client of the merchant pays. @throws Error if the demo made other clients */
export async function portalOf(api: APIRequestContext, url: string): Promise<string> {
  const clients = `${url}/api/receivables/clients`
  const found = await accepted(await api.get(`${clients}?search=${encodeURIComponent(payer)}`))
  const [client] = clientsPage.parse(found).items
  if (client === undefined)
    throw new Error(`The merchant has no client ${payer}. Make the demo of docs/how-to.md.`)
  const { portal } = clientResponse.parse(
    await accepted(await api.get(`${clients}/${client.clientId}`)),
  )
  if (portal === null) throw new Error(`${payer} has no portal, because it is erased.`)
  return portal.url
}

/** The body of an answer. */
async function accepted(answer: APIResponse): Promise<unknown> {
  if (answer.ok()) return answer.json()
  throw new Error(`${answer.url()} answered ${answer.status()}: ${await answer.text()}`)
}
