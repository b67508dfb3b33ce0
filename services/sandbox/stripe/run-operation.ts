import type { Store } from '../store/store.ts'
import { shown } from '../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { StripeRefusal } from './errors.ts'
import { expand } from './expand.ts'
import { earlierAnswer, keepAnswer, requestHash, type Answer } from './idempotency.ts'
import type { Operation, Surroundings } from './operation.ts'

export interface ApiRequest {
  readonly requestId: string
  /** The path with its ids in place, and the one id the operation is about. */
  readonly path: string
  readonly id: string
  readonly params: Record<string, unknown>
  readonly idempotencyKey: string | null
}

/** Carries out one call; what it answers is durable. Throws a StripeRefusal. */
export async function runOperation(
  store: Store,
  operation: Operation,
  request: ApiRequest,
  surroundings: Surroundings,
): Promise<Answer & { readonly isReplay: boolean }> {
  const { expand: wanted, ...rest } = request.params
  const paths = expansions(wanted)
  if (operation.method === 'get') {
    const look = operation.prepare(rest)
    return store.read(async (tx) => ({
      status: 200,
      body: await present(tx, await look(tx, request.id, surroundings), paths),
      isReplay: false,
    }))
  }
  const change = operation.prepare(rest)
  const key = request.idempotencyKey
  const hash = requestHash(operation.method, request.path, request.params)
  return store.change(
    async (tx) => {
      if (key === null)
        return {
          ...(await answered(tx, () => change(tx, request.id, surroundings), paths)),
          isReplay: false,
        }
      const earlier = await earlierAnswer(tx.client, key, hash)
      if (earlier !== null) return { ...earlier, isReplay: true }
      const answer = await attempted(tx, () => change(tx, request.id, surroundings), paths)
      await keepAnswer(tx.client, key, hash, answer)
      return { ...answer, isReplay: false }
    },
    { id: request.requestId, idempotencyKey: key },
  )
}

async function answered(
  tx: ReadTransaction,
  work: () => Promise<object>,
  paths: readonly string[],
): Promise<Answer> {
  return { status: 200, body: await present(tx, await work(), paths) }
}

/** As `answered`, but a refusal is an answer too: it is kept under the key, and its effects are not. */
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
  return 'object' in expanded && expanded.object === 'list' && Array.isArray(data)
    ? { ...expanded, data: data.map((item: object) => shown(item)) }
    : shown(expanded)
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
