import { schemaOf } from '#projections/engine/read-model'
import { receivables } from '../read-model.ts'

/**
 * SQL: the ids of the merchant's invoices of which a payment is on its way. `merchant` is a
 * parameter.
 */
export const onItsWay = (merchant: string): string =>
  `ARRAY(SELECT unnest(receivable_ids) FROM ${schemaOf(receivables)}.client_checkout
     WHERE merchant_id = ${merchant} AND standing = 'under-way' AND submitted_at IS NOT NULL)`
