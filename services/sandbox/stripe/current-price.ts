import type { Price } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { priceById, prices } from './catalogue.ts'

/**
 * A price as the account has it. A stored price of the catalogue says whether the price is
 * archived. Every other stored price was created by a call.
 */
export async function currentPrice(tx: ReadTransaction, id: string): Promise<Price | null> {
  const price = priceById(id)
  const stored = await tx.find('price', id)
  if (price === null || stored === null) return price ?? stored
  return { ...price, active: stored.active }
}

/** The prices that calls created, the newest first, and then the prices of the catalogue. */
export async function currentPrices(tx: ReadTransaction): Promise<readonly Price[]> {
  const stored = await tx.list('price', {})
  const created = stored.filter(({ id }) => priceById(id) === null)
  const ofCatalogue = prices.map((price) => {
    const { active } = stored.find(({ id }) => id === price.id) ?? price
    return { ...price, active }
  })
  return [...created, ...ofCatalogue]
}
