import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { firstRow } from '#services/foundation/rows'
import { accountColumn } from '../store/transaction.ts'
import { StripeRefusal } from './errors.ts'

export interface Answer {
  readonly status: number
  readonly body: object
}

const answerRow = z.object({
  request_hash: z.string(),
  status: z.int(),
  body: z.record(z.string(), z.unknown()),
})

/** Two requests are the same if method, path and parameters are equal. */
export function requestHash(method: string, path: string, params: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([method, path, params]))
    .digest('hex')
}

/** A key counts per account. */
export interface Place {
  readonly client: PoolClient
  /** Null is the platform. */
  readonly account: string | null
}

/**
 * The answer that was saved under this key of the account, or null.
 * @throws StripeRefusal if another request used the key
 */
export async function earlierAnswer(
  { client, account }: Place,
  key: string,
  hash: string,
): Promise<Answer | null> {
  const row = await firstRow(
    client,
    answerRow,
    'SELECT request_hash, status, body FROM sandbox.idempotent_answer WHERE account = $1 AND key = $2',
    [accountColumn(account), key],
  )
  if (!row) return null
  if (row.request_hash !== hash) {
    throw new StripeRefusal(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    })
  }
  return { status: row.status, body: row.body }
}

export async function saveAnswer(
  { client, account }: Place,
  key: string,
  hash: string,
  answer: Answer,
): Promise<void> {
  await client.query(
    'INSERT INTO sandbox.idempotent_answer (account, key, request_hash, status, body) VALUES ($1, $2, $3, $4, $5)',
    [accountColumn(account), key, hash, answer.status, JSON.stringify(answer.body)],
  )
}
