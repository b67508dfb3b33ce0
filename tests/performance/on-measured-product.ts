import { readFile } from 'node:fs/promises'
import { z } from 'zod'
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
      command: [process.execPath, ...(await argumentsOfStart())],
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

const packageFile = z.object({ scripts: z.object({ start: z.string() }) })

/** Of `npm start`: the flags of Node.js decide about time and memory. */
async function argumentsOfStart(): Promise<readonly string[]> {
  const { scripts } = packageFile.parse(JSON.parse(await readFile('package.json', 'utf8')))
  return scripts.start.split(' ').slice(1)
}
