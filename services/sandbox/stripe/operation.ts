import type { z } from 'zod'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { refusalOf } from './params.ts'

/** The input of a call beside the account: the address of the sandbox's pages. */
export interface CallContext {
  /** The sandbox's URL, without a slash at the end. */
  readonly ownUrl: string
}

interface Call<Params, Tx> {
  readonly tx: Tx
  readonly params: Params
  /** The id in the path; '' when the path has none. */
  readonly id: string
  readonly context: CallContext
}

/**
 * One call of the API. `prepare` checks the parameters; it throws a StripeRefusal if they are
 * invalid.
 */
export type Operation = {
  readonly path: string
  /** The parameters that the call accepts. */
  readonly params: z.ZodType
  /** Whose objects the sandbox answers the call for; the platform's if it is missing. */
  readonly reach?: 'accounts' | 'both'
} & (
  | {
      readonly method: 'get'
      readonly prepare: (
        params: unknown,
      ) => (tx: ReadTransaction, id: string, context: CallContext) => Promise<object>
    }
  | {
      readonly method: 'post' | 'delete'
      readonly prepare: (
        params: unknown,
      ) => (tx: Transaction, id: string, context: CallContext) => Promise<object>
    }
)

/** A call that reads. */
export function reading<Params>(
  path: string,
  schema: z.ZodType<Params>,
  answer: (call: Call<Params, ReadTransaction>) => Promise<object>,
): Operation {
  return {
    method: 'get',
    path,
    params: schema,
    prepare: (given) => {
      const params = checked(schema, given)
      return (tx, id, context) => answer({ tx, params, id, context })
    },
  }
}

/** A call that changes the account in one transaction. */
export function changing<Params>(
  method: 'post' | 'delete',
  path: string,
  schema: z.ZodType<Params>,
  answer: (call: Call<Params, Transaction>) => Promise<object>,
): Operation {
  return {
    method,
    path,
    params: schema,
    prepare: (given) => {
      const params = checked(schema, given)
      return (tx, id, context) => answer({ tx, params, id, context })
    },
  }
}

/** The same calls, which the sandbox also, or only, answers on a connected account. */
export function reaching(
  reach: 'accounts' | 'both',
  operations: readonly Operation[],
): readonly Operation[] {
  return operations.map((operation) => ({ ...operation, reach }))
}

function checked<Params>(schema: z.ZodType<Params>, given: unknown): Params {
  const result = schema.safeParse(given, { reportInput: true })
  if (!result.success) throw refusalOf(result.error)
  return result.data
}
