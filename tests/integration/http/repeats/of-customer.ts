import type { AppSide, TestCustomer } from '../../../support/product/app-side.ts'
import type { Prepare } from './walk.ts'

/** Who is signed in with the client, and the number of the customer's sessions and codes. */
export async function accessOf(
  side: AppSide,
  client: TestCustomer['client'],
  userId: string | undefined,
): Promise<unknown> {
  const { body } = await client.get('/api/auth/session')
  const count = async (sql: string) =>
    (await side.pool.query<{ count: number }>(sql, [userId ?? ''])).rows[0]?.count
  return {
    userId: body?.['userId'],
    isAdmin: body?.['isAdmin'],
    sessions: await count(
      `SELECT count(*)::int AS count FROM app.customer_session WHERE sess->>'subject' = $1`,
    ),
    codes: await count('SELECT count(*)::int AS count FROM app.sign_in_code WHERE user_id = $1'),
  }
}

/** A call of a new customer. `prepare` comes before the call. */
export const ofCustomer =
  (
    name: string,
    body: (customer: TestCustomer, side: AppSide) => unknown,
    {
      prepare,
      headers,
      path,
      ...allowed
    }: {
      readonly prepare?: (customer: TestCustomer, side: AppSide) => Promise<void>
      /** Of each repeat: a page makes a new key for each click on Subscribe Now. */
      readonly headers?: () => Record<string, string>
      readonly path?: (customer: TestCustomer, side: AppSide) => Promise<string>
      readonly comparesBody?: boolean
      readonly alsoComplete?: number
      readonly mayMissEvents?: true
    } = {},
  ): Prepare =>
  async (side) => {
    const customer = await side.newCustomer()
    await prepare?.(customer, side)
    const [method = '', declared = ''] = name.split(' ')
    const address = (await path?.(customer, side)) ?? declared
    const sent = await body(customer, side)
    return {
      ...customer,
      comparesBody: true,
      ...allowed,
      send: () => customer.client.send(method, address, sent, headers?.()),
      world: () => accessOf(side, customer.client, customer.userId),
    }
  }
