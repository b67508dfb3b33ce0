import { afterEach, describe, expect, it } from '@jest/globals'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isServerOf, readPostmasterFile } from '#services/postgres/embedded/postmaster-file'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

describe('the product', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>> | undefined
  let product: RunningProduct | undefined

  afterEach(async () => {
    await product?.stop()
    await directory?.remove()
  })

  it('leaves no process running after each signal, and starts again on the same data', async () => {
    directory = await temporaryDirectory()
    const cluster = join(directory.path, 'postgres/cluster')
    for (const signal of ['SIGINT', 'SIGKILL', 'SIGTERM'] as const) {
      product = await startProduct({ dataDir: directory.path })
      expect(await answers(product.url)).toBe(true)
      expect(await answers(product.sandboxUrl)).toBe(true)
      const server = (await readPostmasterFile(cluster))?.pid ?? 0
      expect(await isServerOf(cluster, server)).toBe(true)

      expect([signal, await product.stop(signal)]).toEqual([
        signal,
        signal === 'SIGKILL' ? null : 0,
      ])
      await until(async () => !(await isServerOf(cluster, server)))
      const { url, sandboxUrl } = product
      await until(async () => !(await answers(url)) && !(await answers(sandboxUrl)))
    }
  }, 120_000)
})

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

/**
 * Waits at most 20 s. The kernel acts a moment after kill -9, and a server that shuts down first
 * writes its data to the disk.
 */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The process still runs after 20 s.')
    await sleep(50)
  }
}
