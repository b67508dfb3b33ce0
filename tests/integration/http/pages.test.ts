import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import {
  fileOfPage,
  pages,
  publicPaths,
  publicUrlPlaceholder,
  yearPlaceholder,
} from '#contracts/pages'
import { createPages } from '#services/http/pages'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

const publicUrl = 'https://billing.example'
const script = '/* a script that is worth compressing */ '.repeat(50)
let now = new Date('2026-12-31T23:59:59.999Z')
const shell = '<!doctype html><title>shell</title>'
const pageAt = (address: string) => `<!doctype html><link rel="canonical" href="${address}">`

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let server: Server
let url: string

beforeAll(async () => {
  directory = await temporaryDirectory()
  const write = (name: string, content: string) => writeFile(join(directory.path, name), content)
  await mkdir(join(directory.path, 'assets'))
  await mkdir(join(directory.path, '.git'))
  await write('.git/HEAD', 'ref: refs/heads/main')
  await write('shell.html', shell)
  for (const path of publicPaths) await write(fileOfPage(path), pageAt(publicUrlPlaceholder + path))
  for (const name of ['app.js', 'assets/app-1a2b.js', 'app.css', 'logo.svg'])
    await write(name, script)
  for (const name of ['font.woff2', 'app.js.map']) await write(name, 'x')
  const { compressFiles } = (await import(resolve('scripts/build/compress-files.mjs'))) as {
    compressFiles: (directory: string) => Promise<void>
  }
  await compressFiles(directory.path)
  server = createServer(express().use(createPages(directory.path, publicUrl, () => now)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await directory.remove()
})

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** As `fetch`, but does not decompress the body and adds no header. */
async function get(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const sent = request(url + path, { method, headers }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const { statusCode: status, headers: answered } = response
  return { status, headers: answered, body: await buffer(response) }
}

const decoded = ({ headers, body }: Answer) => {
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[headers['content-encoding'] ?? '']
  return (decode?.(body) ?? body).toString('utf8')
}

describe('a page', () => {
  it.each(Object.entries(pages))(
    'is sent at %s with 200, and with noindex only if it is private',
    async (path, { isPrivate }) => {
      for (const address of [path, path === '/' ? path : `${path}/`]) {
        const answer = await get(address)
        expect([address, answer.status, answer.headers['x-robots-tag']]).toEqual([
          address,
          200,
          isPrivate ? 'noindex' : undefined,
        ])
        expect(decoded(answer)).toBe(isPrivate ? shell : pageAt(publicUrl + path))
      }
    },
  )

  it('is the shell with 404 at any other address', async () => {
    const answer = await get('/no-such-page')
    expect([answer.status, decoded(answer)]).toEqual([404, shell])
  })

  it.each(['/%zz', '/assets/%zz'])(
    'is the shell with 404 at %s, which is not well formed',
    async (path) => {
      const answer = await get(path)
      expect([answer.status, decoded(answer)]).toEqual([404, shell])
    },
  )

  it('has the year of the business clock, also after a change of the year', async () => {
    const page = `<!doctype html><html data-year="${yearPlaceholder}">© ${yearPlaceholder}`
    await writeFile(join(directory.path, 'shell.html'), page)
    const app = express().use(createPages(directory.path, publicUrl, () => now))
    const other = createServer(app).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/payment`
    const text = async () => (await fetch(address)).text()
    expect(await text()).toBe('<!doctype html><html data-year="2026">© 2026')
    now = new Date('2027-01-01T00:00:00.000Z')
    expect(await text()).toBe('<!doctype html><html data-year="2027">© 2027')
    other.close()
    await writeFile(join(directory.path, 'shell.html'), shell)
  })

  it('has PUBLIC_URL in the addresses of its head, escaped', async () => {
    const odd = express().use(createPages(directory.path, 'https://a"b&c', () => now))
    const other = createServer(odd).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const answer = await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
    expect(await answer.text()).toBe(pageAt('https://a&#34;b&#38;c/'))
    other.close()
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'gzip'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['deflate', undefined],
    ['', undefined],
  ])('is sent to a client that accepts "%s" in the encoding %s', async (accepted, encoding) => {
    const answer = await get('/', { 'accept-encoding': accepted })
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(Number(answer.headers['content-length'])).toBe(answer.body.length)
    expect(decoded(answer)).toBe(pageAt(`${publicUrl}/`))
  })

  it('is asked for again, and answered with 304 if it is current in that encoding', async () => {
    const etags = new Set<string>()
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { headers } = await get('/', { 'accept-encoding': encoding })
      const etag = headers.etag ?? ''
      expect(headers['cache-control']).toBe('no-cache')
      etags.add(etag)
      const again = await get('/', { 'accept-encoding': encoding, 'if-none-match': etag })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, etag])
      expect(again.headers.vary).toBe('Accept-Encoding')
    }
    expect(etags.size).toBe(3)
    const other = await get('/', { 'if-none-match': '"another build"' })
    expect(other.status).toBe(200)
  })

  it('has the same header for HEAD, and no body', async () => {
    const { status, headers, body } = await get('/', { 'accept-encoding': 'br' }, 'HEAD')
    expect([status, headers['content-encoding'], body.length]).toEqual([200, 'br', 0])
  })
})

describe('a file', () => {
  it.each([
    ['/app.js', 'text/javascript; charset=utf-8'],
    ['/app.css', 'text/css; charset=utf-8'],
    ['/logo.svg', 'image/svg+xml; charset=utf-8'],
    ['/font.woff2', 'font/woff2'],
  ])('%s has the type %s in every encoding', async (path, type) => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const { status, headers } = await get(path, { 'accept-encoding': encoding })
      expect([status, headers['content-type']]).toEqual([200, type])
    }
  })

  it.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ])('is sent to a client that accepts "%s" in the encoding %s', async (accepted, encoding) => {
    const answer = await get('/assets/app-1a2b.js', { 'accept-encoding': accepted })
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding])
    expect(answer.headers.vary).toBe('Accept-Encoding')
    expect(decoded(answer)).toBe(script)
  })

  it('is sent as the build compressed it, at the highest quality', async () => {
    const { body } = await get('/app.js', { 'accept-encoding': 'br' })
    expect(body).toEqual(brotliCompressSync(Buffer.from(script)))
  })

  it('is kept by browsers for a year if its name has a hash, else for an hour', async () => {
    const hashed = await get('/assets/app-1a2b.js')
    expect(hashed.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await get('/app.js')).headers['cache-control']).toBe('public, max-age=3600')
  })

  it('is answered with 304 if the client has it in that encoding', async () => {
    const tagOf = async (encoding: string) =>
      (await get('/app.js', { 'accept-encoding': encoding })).headers.etag ?? ''
    const [br, gzip] = [await tagOf('br'), await tagOf('gzip')]
    expect(br).not.toBe(gzip)
    const current = await get('/app.js', { 'accept-encoding': 'br', 'if-none-match': br })
    expect(current.status).toBe(304)
    const other = await get('/app.js', { 'accept-encoding': 'br', 'if-none-match': gzip })
    expect(other.status).toBe(200)
  })

  it('is sent in part if the client requests a range', async () => {
    const part = await get('/app.js', { range: 'bytes=3-10' })
    expect([part.status, part.headers['content-range']]).toEqual([
      206,
      `bytes 3-10/${script.length}`,
    ])
    expect(part.body.toString('utf8')).toBe(script.slice(3, 11))
  })

  it('has no body for HEAD', async () => {
    const { status, headers, body } = await get('/app.js', { 'accept-encoding': 'br' }, 'HEAD')
    expect([status, headers['content-encoding'], body.length]).toEqual([200, 'br', 0])
  })

  it.each([
    '/.git/HEAD',
    '/%2egit/HEAD',
    '/app.js.map',
    '/app.js.br',
    '/index.html',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
  ])('at %s is not served: it is internal or outside the pages', async (path) => {
    const answer = await get(path)
    expect([answer.status, decoded(answer)]).toEqual([404, shell])
  })
})

describe('search engines', () => {
  it('find the public pages in sitemap.xml', async () => {
    const { headers, body } = await get('/sitemap.xml')
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const addresses = [...body.toString('utf8').matchAll(/<loc>(.*?)<\/loc>/g)].map(
      ([, loc]) => loc,
    )
    expect(addresses).toEqual(publicPaths.map((path) => publicUrl + path))
  })

  it('find the sitemap in robots.txt, and may read the pages that say noindex', async () => {
    const { headers, body } = await get('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.toString('utf8')).toBe(
      `User-agent: *\nDisallow: /api/\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
    )
  })
})
