import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

/**
 * Starts the built product on the database of the benchmark, in a new DATA_DIR, and stops it after
 * `work`. A request can name its network address, because many limits count per address.
 */
export async function onMeasuredProduct<Result>(
  connectionString: string,
  env: Readonly<Record<string, string>>,
  work: (product: RunningProduct) => Promise<Result>,
): Promise<Result> {
  const directory = await temporaryDirectory()
  try {
    const product = await startProduct({
      dataDir: directory.path,
      env: {
        DATABASE_URL: connectionString,
        EVENTSTORE_URL: undefined,
        TRUST_PROXY: '1',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        ...env,
      },
    })
    try {
      return await work(product)
    } finally {
      await product.stop()
    }
  } finally {
    await directory.remove()
  }
}
