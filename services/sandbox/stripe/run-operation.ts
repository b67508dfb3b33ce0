import type { Store } from '../store/store.ts'
import { shown } from '../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { cutLists } from '../store/cut-lists.ts'
import { connectedAccount, platformAccountId } from './connected-account.ts'
import { StripeRefusal } from './errors.ts'
import { expand } from './expand.ts'
import { earlierAnswer, saveAnswer, requestHash, type Answer } from './idempotency.ts'
import type { Operation, CallContext } from './operation.ts'

export interface ApiRequest {
  readonly requestId: string
  /** The path with its ids, and the id of the object that the operation concerns. */
  readonly path: string
  readonly id: string
  readonly params: Record<string, unknown>
  readonly idempotencyKey: string | null
  /** The account of the header Stripe-Account; null is the platform. */
  readonly account: string | null
}

/**
 * Runs one call. Its changes are durable when it resolves.
 * @throws StripeRefusal
 */
export async function runOperation(
  store: Store,
  operation: Operation,
  request: ApiRequest,
  context: CallContext,
): Promise<Answer & { readonly isReplay: boolean }> {
  const { expand: wanted, ...rest } = request.params
  const paths = expansions(wanted)
  if (operation.method === 'get') {
    const read = operation.prepare(rest)
    return store.read(async (platform) => {
      const tx = platform.on(await reachedAccount(platform, operation, request))
      const body = await present(tx, await read(tx, request.id, context), paths)
      return { status: 200, body, isReplay: false }
    })
  }
  const change = operation.prepare(rest)
  const key = request.idempotencyKey
  const hash = requestHash(operation.method, request.path, request.params)
  return store.change(
    async (platform) => {
      const tx = platform.on(await reachedAccount(platform, operation, request))
      if (key === null)
        return {
          ...(await answered(tx, () => change(tx, request.id, context), paths)),
          isReplay: false,
        }
      const earlier = await earlierAnswer(tx, key, hash)
      if (earlier !== null) return { ...earlier, isReplay: true }
      const answer = await attempted(tx, () => change(tx, request.id, context), paths)
      await saveAnswer(tx, key, hash, answer)
      return { ...answer, isReplay: false }
    },
    { id: request.requestId, idempotencyKey: key },
  )
}

/**
 * The account that the call reaches; null is the platform.
 * @throws StripeRefusal if the platform has no access to the account, or if the sandbox does not
 * simulate the call there
 */
async function reachedAccount(
  platform: ReadTransaction,
  operation: Operation,
  { account, path }: ApiRequest,
): Promise<string | null> {
  const isPlatform = account === null || account === platformAccountId
  const id = isPlatform ? null : (await connectedAccount(platform, account)).id
  const { reach } = operation
  if (isPlatform ? reach !== 'accounts' : reach !== undefined) return id
  throw new StripeRefusal(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${operation.method.toUpperCase()}: ${path}). The sandbox does not simulate this call on ${isPlatform ? 'the platform' : 'a connected account'}.`,
  })
}

/**
 * A thrown refusal keeps no change. A returned refusal keeps the changes: a declined payment is
 * recorded.
 */
async function answered(
  tx: ReadTransaction,
  work: () => Promise<object>,
  paths: readonly string[],
): Promise<Answer> {
  const result = await work()
  return result instanceof StripeRefusal
    ? { status: result.status, body: result.body }
    : { status: 200, body: await present(tx, result, paths) }
}

/**
 * Like `answered`, but a refusal becomes an answer: the refusal is saved under the key, and its
 * changes are rolled back.
 */
async function attempted(
  tx: Transaction,
  work: () => Promise<object>,
  paths: readonly string[],
): Promise<Answer> {
  await tx.client.query('SAVEPOINT attempt')
  try {
    return await answered(tx, work, paths)
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error
    await tx.client.query('ROLLBACK TO SAVEPOINT attempt')
    return { status: error.status, body: error.body }
  }
}

async function present(
  tx: ReadTransaction,
  object: object,
  paths: readonly string[],
): Promise<object> {
  const expanded = await expand(tx, object, paths)
  const { data } = expanded as { data?: unknown }
  return cutLists(
    'object' in expanded && expanded.object === 'list' && Array.isArray(data)
      ? { ...expanded, data: data.map((item: object) => shown(item)) }
      : shown(expanded),
  )
}

function expansions(wanted: unknown): readonly string[] {
  if (wanted === undefined) return []
  const list = typeof wanted === 'object' && wanted !== null ? Object.values(wanted) : [wanted]
  if (list.every((path): path is string => typeof path === 'string')) return list
  throw new StripeRefusal(400, {
    type: 'invalid_request_error',
    message: 'Invalid expand: must be a list of property names.',
    param: 'expand',
  })
}
