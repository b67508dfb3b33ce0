import { afterEach, describe, expect, it } from '@jest/globals'
import { join } from 'node:path'
import { isServerOf, readPostmasterFile } from '#services/postgres/embedded/postmaster-file'
import { descendantWith } from '../support/machine/descendants.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createClient, payAt } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { until } from '../support/machine/until.ts'

describe('the product', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>> | undefined
  let product: RunningProduct | undefined

  afterEach(async () => {
    await product?.stop()
    await directory?.remove()
  })

  it('starts a killed sandbox again at its addresses, which mails and payments use', async () => {
    directory = await temporaryDirectory()
    product = await startProduct({ dataDir: directory.path })
    const { url, sandboxUrl, pid } = product
    for (const email of ['before@x.example', 'after@x.example']) {
      const client = createClient({ url, sandboxUrl })
      await client.signUp(email)
      await payAt(String((await client.startCheckout(email)).body?.['url']))
      expect((await client.post('/api/billing/sync')).body).toEqual({ hasLiveSubscription: true })
      process.kill(descendantWith(pid, 'sandbox/main'), 'SIGKILL')
      await until(async () => !(await answers(sandboxUrl)))
      await until(() => answers(sandboxUrl))
    }
  }, 120_000)

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
