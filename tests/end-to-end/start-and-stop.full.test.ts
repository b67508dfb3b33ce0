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

  it('starts a killed sandbox again, leaves no process after each signal, and starts again on the same data', async () => {
    directory = await temporaryDirectory()
    const dataDir = directory.path
    const cluster = join(dataDir, 'postgres/cluster')
    product = await startProduct({ dataDir })
    await buysWhileTheSandboxIsKilled(product)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGKILL'] as const) {
      if (signal !== 'SIGINT') product = await startProduct({ dataDir })
      await showsBothPlans(product)
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
  }, 180_000)
})

/** Mails and payments use the addresses of the sandbox, which starts again at each of them. */
async function buysWhileTheSandboxIsKilled({ url, sandboxUrl, pid }: RunningProduct) {
  for (const email of ['before@x.example', 'after@x.example']) {
    const client = createClient({ url, sandboxUrl })
    await client.signUp(email)
    await payAt(String((await client.createCheckoutSession(email)).body?.['url']))
    expect((await client.post('/api/billing/sync')).body).toEqual({ hasLiveSubscription: true })
    process.kill(descendantWith(pid, 'sandbox/main'), 'SIGKILL')
    await until(async () => !(await answers(sandboxUrl)))
    await until(() => answers(sandboxUrl))
  }
}

async function showsBothPlans(product: RunningProduct) {
  const admin = createClient(product)
  await admin.post('/api/admin/login', { password: product.adminPassword })
  await until(async () => {
    const { body } = await admin.get('/api/admin/summary')
    return body?.['activePlans'] === 2 && body['totalRevenue'] === 78
  }, 'the administrator does not see both plans')
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )
