import type { z } from 'zod'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { refusalOf } from './params.ts'

/** What a call needs beyond the account: where the sandbox's pages are. */
export interface Surroundings {
  /** The sandbox's own address, without a slash at the end. */
  readonly ownUrl: string
}

interface Call<Params, Sight> {
  readonly tx: Sight
  readonly params: Params
  /** The id in the path; '' when the path has none. */
  readonly id: string
  readonly surroundings: Surroundings
}

/** One call of the API, its parameters unchecked still; `check` throws a StripeRefusal. */
export type Operation = { readonly path: string } & (
  | {
      readonly method: 'get'
      readonly prepare: (
        params: unknown,
      ) => (tx: ReadTransaction, id: string, surroundings: Surroundings) => Promise<object>
    }
  | {
      readonly method: 'post' | 'delete'
      readonly prepare: (
        params: unknown,
      ) => (tx: Transaction, id: string, surroundings: Surroundings) => Promise<object>
    }
)

/** A call that only looks. */
export function reading<Params>(
  path: string,
  schema: z.ZodType<Params>,
  answer: (call: Call<Params, ReadTransaction>) => Promise<object>,
): Operation {
  return {
    method: 'get',
    path,
    prepare: (given) => {
      const params = checked(schema, given)
      return (tx, id, surroundings) => answer({ tx, params, id, surroundings })
    },
  }
}

/** A call that changes something: all of it, or nothing. */
export function changing<Params>(
  method: 'post' | 'delete',
  path: string,
  schema: z.ZodType<Params>,
  answer: (call: Call<Params, Transaction>) => Promise<object>,
): Operation {
  return {
    method,
    path,
    prepare: (given) => {
      const params = checked(schema, given)
      return (tx, id, surroundings) => answer({ tx, params, id, surroundings })
    },
  }
}

function checked<Params>(schema: z.ZodType<Params>, given: unknown): Params {
  const result = schema.safeParse(given, { reportInput: true })
  if (!result.success) throw refusalOf(result.error)
  return result.data
}
