import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import type { Routes } from '#services/http/routes'
import { freePort } from '../../support/machine/free-port.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'

const area: Routes = (route) =>
  route({
    method: 'get',
    path: '/api/anything',
    summary: 'Answer with nothing',
    access: 'public',
    answer: z.object({}),
    handle: async () => ({}),
  })

let server: AreaServer
let publicUrl: string
beforeAll(async () => {
  publicUrl = `http://localhost:${await freePort()}`
  server = await serveArea(area, pino({ level: 'silent' }), { publicUrl })
}, 30_000)
afterAll(() => server?.close())

/** Sends the target unchanged. `fetch` would normalize the path. */
async function answerTo(
  path: string,
  host = `127.0.0.1:${server.port}`,
): Promise<{ status: number | undefined; location: string | undefined }> {
  const sent = request({ port: server.port, path, headers: { host } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode, location: response.headers.location }
}

describe('a request to another local name of the public host', () => {
  it.each(['/purchases', '/purchases?from=mail', '/', '/a%0d%0aLocation:%20x'])(
    'is redirected to the public host: %s',
    async (path) => {
      expect(await answerTo(path)).toEqual({ status: 308, location: `${publicUrl}${path}` })
    },
  )

  it.each(['//evil.example/x', '///evil.example', '/\\evil.example', '//[', '/@evil.example'])(
    'is never redirected to another host: %s',
    async (path) => {
      const { status, location = '' } = await answerTo(path)
      expect(status).toBe(308)
      expect(new URL(location).origin).toBe(publicUrl)
    },
  )

  it.each([
    ['http://127.0.0.1:3000/x', '/x'],
    ['http://127.0.0.1/x?y=http://evil.example/', '/x?y=http://evil.example/'],
    ['HTTP://127.0.0.1', '/'],
    ['http://127.0.0.1?y=1', '/?y=1'],
    ['http://user@127.0.0.1:3000//evil.example', '//evil.example'],
  ])('is redirected to the path of an absolute target: %s', async (target, path) => {
    expect(await answerTo(target)).toEqual({ status: 308, location: `${publicUrl}${path}` })
  })

  it('is known by the host of an absolute target, whatever the header Host has', async () => {
    const { host } = new URL(publicUrl)
    expect(await answerTo('http://127.0.0.1:3000/x', host)).toMatchObject({ status: 308 })
    expect(await answerTo(`http://${host}/api/anything`)).toEqual({
      status: 200,
      location: undefined,
    })
  })

  it('is not redirected if the target is no path', async () => {
    expect(await answerTo('*')).toMatchObject({ location: undefined })
  })
})
