import { once } from 'node:events'
import { request, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import express from 'express'
import { redirectToPublicHost } from '#services/http/security-headers'

let server: Server
let port: number
beforeAll(async () => {
  server = express()
    .use((incoming, response, next) =>
      redirectToPublicHost(`http://localhost:${port}`)(incoming, response, next),
    )
    .use((_request, response) => void response.send('served'))
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port
})
afterAll(() => void server.close())

/** Sends the path unchanged. `fetch` would normalize the path. */
async function answerTo(
  path: string,
): Promise<{ status: number | undefined; location: string | undefined }> {
  const sent = request({ port, path, headers: { host: `127.0.0.1:${port}` } }).end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  return { status: response.statusCode, location: response.headers.location }
}

describe('a request to another local name of the public host', () => {
  it.each(['/purchases', '/purchases?from=mail', '/'])(
    'is redirected to the public host: %s',
    async (path) => {
      expect(await answerTo(path)).toEqual({
        status: 308,
        location: `http://localhost:${port}${path}`,
      })
    },
  )

  it.each(['//evil.example/x', '///evil.example', '/\\evil.example', '//['])(
    'is never redirected to another host: %s',
    async (path) => {
      const { status, location = '' } = await answerTo(path)
      expect(status).toBe(308)
      expect(new URL(location).origin).toBe(`http://localhost:${port}`)
    },
  )
})
