import { startProduct } from '../../support/product/run-product.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import type { Row } from '../report.ts'
import { benchOf, webhookSecret } from './measured-product.ts'
import { measureCheckouts } from './checkouts.ts'
import { measureWebhooks } from './webhooks.ts'

/** Measures webhooks and checkouts of the product as `npm start` runs it, with its sandbox. */
export async function benchBilling(connectionString: string): Promise<readonly Row[]> {
  const directory = await temporaryDirectory()
  try {
    const product = await startProduct({
      dataDir: directory.path,
      env: {
        DATABASE_URL: connectionString,
        EVENTSTORE_URL: undefined,
        STRIPE_WEBHOOK_SECRET: webhookSecret,
        // Each customer has an address, because sign-ups are limited per address.
        TRUST_PROXY: '1',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
      },
    })
    try {
      const bench = benchOf(product, connectionString)
      return [...(await measureWebhooks(bench)), ...(await measureCheckouts(bench))]
    } finally {
      await product.stop()
    }
  } finally {
    await directory.remove()
  }
}
