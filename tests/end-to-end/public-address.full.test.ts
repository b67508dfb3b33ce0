import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { connects } from '../support/machine/connects.ts'
import { freePort } from '../support/machine/free-port.ts'
import { ownAddress } from '../support/machine/own-address.ts'
import { createClient } from '../support/product/client.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'

const itWithOwnAddress =
  ownAddress === null
    ? (name: string) =>
        it.skip(`${name} [only on a machine with an address beside loopback]`, () => undefined)
    : it
const portOf = (url: string) => Number(new URL(url).port)

/** The attributes of the cookie of a new customer session. */
async function customerCookie(
  addresses: Pick<RunningProduct, 'url' | 'sandboxUrl'>,
): Promise<{ name: string; isSecure: boolean }> {
  const dana = createClient(addresses)
  await dana.signUp('dana@example.com')
  const { headers } = await dana.get('/api/auth/session')
  const [cookie = ''] = headers.getSetCookie()
  return { name: cookie.split('=')[0] ?? '', isSecure: /; Secure(;|$)/.test(cookie) }
}

describe('a product that listens on every address', () => {
  let product: RunningProduct
  let metricsPort: number
  beforeAll(async () => {
    metricsPort = await freePort()
    product = await startProduct({
      env: { HOST: '0.0.0.0', METRICS_PORT: String(metricsPort) },
    })
  }, 90_000)
  afterAll(() => product?.stop(), 60_000)

  itWithOwnAddress('keeps its sandbox on loopback', async () => {
    expect(await connects(ownAddress ?? '', portOf(product.url))).toBe(true)
    expect(await connects('127.0.0.1', portOf(product.sandboxUrl))).toBe(true)
    expect(await connects(ownAddress ?? '', portOf(product.sandboxUrl))).toBe(false)
  })

  itWithOwnAddress('keeps its metrics on loopback', async () => {
    expect(await connects('127.0.0.1', metricsPort)).toBe(true)
    expect(await connects(ownAddress ?? '', metricsPort)).toBe(false)
  })

  it.each(['/api/openapi.json', '/api/docs'])('does not serve %s', async (path) => {
    expect((await fetch(product.url + path)).status).toBe(404)
  })

  it('sends cookies without Secure, because PUBLIC_URL is http', async () => {
    expect(await customerCookie(product)).toEqual({
      name: `ar-customer-${portOf(product.url)}`,
      isSecure: false,
    })
  })
})

describe('a product at a public https address, with ALLOW_SANDBOX=1', () => {
  const sandboxHost = ownAddress ?? '127.0.0.1'
  let product: RunningProduct
  beforeAll(async () => {
    product = await startProduct({
      env: {
        PUBLIC_URL: 'https://billing.example',
        ALLOW_SANDBOX: '1',
        SANDBOX_HOST: sandboxHost,
      },
    })
  }, 90_000)
  afterAll(() => product?.stop(), 60_000)

  it('sends Secure cookies, and uses the sandbox at SANDBOX_HOST', async () => {
    const sandboxUrl = `http://${sandboxHost}:${portOf(product.sandboxUrl)}`
    expect(await customerCookie({ url: product.url, sandboxUrl })).toEqual({
      name: '__Host-ar-customer',
      isSecure: true,
    })
  })
})
