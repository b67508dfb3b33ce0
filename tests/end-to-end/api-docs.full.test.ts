import { describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { profile } from '../support/product/client.ts'
import { productWithBrowser } from '../support/product/product-with-browser.ts'

/*
 * The documentation of the API as a running product serves it: the document, a client that is
 * generated from it, and the page.
 */

const running = productWithBrowser()
const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')
const documentSchema = z.looseObject({
  servers: z.array(z.object({ url: z.string() })),
  components: z.looseObject({
    securitySchemes: z.record(z.string(), z.looseObject({ name: z.string() })),
  }),
})

it('the product serves the document of docs/openapi.json, with its own address and cookies', async () => {
  const served = documentSchema.parse(
    await (await fetch(`${running.product.url}/api/openapi.json`)).json(),
  )
  const committed = documentSchema.parse(
    JSON.parse(await readFile(join(repository, 'docs/openapi.json'), 'utf8')),
  )
  const port = new URL(running.product.url).port
  expect(served.servers).toEqual([{ url: running.product.url }])
  const { customerSession, adminSession } = served.components.securitySchemes
  expect([customerSession?.name, adminSession?.name]).toEqual([
    `ar-customer-${port}`,
    `ar-admin-${port}`,
  ])
  const { securitySchemes } = committed.components
  expect({
    ...served,
    servers: committed.servers,
    components: { ...served.components, securitySchemes },
  }).toEqual(committed)
})

/** A program that uses only the generated client. It signs up, signs in and logs out. */
const walk = (url: string, sandboxUrl: string) => `
import { Api, type SessionResponse } from './api-client.ts'

const email = 'client@example.com'
const cookies = new Map<string, string>()
const { api } = new Api({
  baseUrl: ${JSON.stringify(url)},
  baseApiParams: { headers: { 'X-Requested-With': 'fetch' } },
  async customFetch(...[input, init = {}]: Parameters<typeof fetch>) {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...cookies].map(([name, value]) => name + '=' + value).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  },
})

async function code(): Promise<string> {
  const inbox = ${JSON.stringify(`${sandboxUrl}/inbox.json?to=client%40example.com`)}
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const mails = (await (await fetch(inbox)).json()) as { text: string }[]
    const found = /\\b\\d{6}\\b/.exec(mails[0]?.text ?? '')
    if (found) return found[0]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('No sign-in code arrived within 5 s.')
}

const { data: checked } = await api.postAuthCheckUser({ email })
const { data: signedUp } = await api.postAuthCompleteSignup(${JSON.stringify({ ...profile, email: 'client@example.com' })})
const { data: requested } = await api.postAuthRequestOtp({ email })
const { data: verified } = await api.postAuthVerifyOtp({ userId: signedUp.userId, otp: await code() })
const { data: session }: { data: SessionResponse } = await api.getAuthSession()
await api.postAuthLogout()
const { data: after } = await api.getAuthSession()
const refused: unknown = await api.postBillingSync().catch((answer) => answer.status)
// @ts-expect-error: the client knows the type of each field.
const wrong: number = session.email
void wrong
console.log(JSON.stringify({
  isNewUser: checked.isNewUser,
  resendsLeft: requested.resendsLeft,
  isVerified: verified.isVerified,
  businessName: session.businessName,
  isVerifiedAfterLogout: after.isVerified,
  refused,
}))
`

it('a client that is generated from the document compiles and walks the sign-in', async () => {
  const directory = await temporaryDirectory()
  try {
    await run(
      process.execPath,
      [
        'scripts/api-client.mjs',
        '--out',
        directory.path,
        '--from',
        `${running.product.url}/api/openapi.json`,
      ],
      { cwd: repository },
    )
    const client = join(directory.path, 'api-client.ts')
    // The generator tells the compiler to skip the file. The test checks it.
    const source = await readFile(client, 'utf8')
    await writeFile(client, source.replace('// @ts-nocheck\n', ''))
    await writeFile(
      join(directory.path, 'walk.ts'),
      walk(running.product.url, running.product.sandboxUrl),
    )
    await writeFile(join(directory.path, 'package.json'), '{ "type": "module" }')
    await writeFile(
      join(directory.path, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          target: 'ES2023',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          module: 'nodenext',
          types: [],
          allowImportingTsExtensions: true,
          rewriteRelativeImportExtensions: true,
          noEmitOnError: true,
          outDir: 'out',
        },
        files: ['walk.ts'],
      }),
    )
    const compiler = join(repository, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [compiler, '-p', directory.path]).catch(
      ({ stdout }: { stdout: string }) => {
        throw new Error(`The client does not compile:\n${stdout}`)
      },
    )
    const { stdout } = await run(process.execPath, [join(directory.path, 'out/walk.js')])
    expect(JSON.parse(stdout)).toEqual({
      isNewUser: true,
      resendsLeft: 3,
      isVerified: true,
      businessName: profile.company_name,
      isVerifiedAfterLogout: false,
      refused: 401,
    })
  } finally {
    await directory.remove()
  }
}, 120_000)

describe('the page', () => {
  it('shows the calls from local files, without a violation of the security policy', async () => {
    const context = await running.browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => problems.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (protocol !== 'data:' && origin !== running.product.url) problems.push(request.url())
    })
    await page.goto(`${running.product.url}/api/docs`)
    await page.getByText('Send a sign-in code').waitFor()
    const call = page.locator('#operations-Sign-in-postAuthLogout')
    await call.getByText('End the customer session').click()
    await call.getByRole('button', { name: 'Try it out' }).click()
    const [request] = await Promise.all([
      page.waitForRequest(`${running.product.url}/api/auth/logout`),
      call.getByRole('button', { name: 'Execute' }).click(),
    ])
    expect(request.headers()['x-requested-with']).toBe('fetch')
    expect((await request.response())?.status()).toBe(200)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([width, overflow]).toEqual([width, 0])
    }
    expect(problems).toEqual([])
    await context.close()
  }, 60_000)

  it('is not listed by search engines, and the built file is not served at its own address', async () => {
    expect((await fetch(`${running.product.url}/api-docs.html`)).status).toBe(404)
    const { headers } = await fetch(`${running.product.url}/api/docs`)
    expect(headers.get('x-robots-tag')).toBe('noindex')
  })
})
