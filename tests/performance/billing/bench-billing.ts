import { onMeasuredProduct } from '../on-measured-product.ts'
import type { Row } from '../report.ts'
import { benchOf, webhookSecret } from './measured-product.ts'
import { measureCheckouts } from './checkouts.ts'
import { measureWebhooks } from './webhooks.ts'

/** Measures webhooks and checkouts of the product as `npm start` runs it, with its sandbox. */
export async function benchBilling(connectionString: string): Promise<readonly Row[]> {
  const env = { STRIPE_WEBHOOK_SECRET: webhookSecret }
  return onMeasuredProduct(connectionString, env, async (product) => {
    const bench = benchOf(product, connectionString)
    return [...(await measureWebhooks(bench)), ...(await measureCheckouts(bench))]
  })
}
