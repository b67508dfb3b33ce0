import type { Price } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { priceById } from './catalogue.ts'

/** A price of the catalogue as the account has it: a stored price says whether it is archived. */
export async function currentPrice(tx: ReadTransaction, id: string): Promise<Price | null> {
  const price = priceById(id)
  if (price === null) return null
  const stored = await tx.find('price', id)
  return stored === null ? price : { ...price, active: stored.active }
}
