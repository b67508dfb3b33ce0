import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Front {
  readonly url: string
  /** Sends the next requests to these processes in turn. */
  use(...products: readonly { readonly url: string }[]): void
  close(): Promise<void>
}

/**
 * A load balancer in front of processes of the product, which have this address as PUBLIC_URL. The
 * name of a cookie contains the port of the process, so the front gives every cookie its own port.
 */
export async function startFront(): Promise<Front> {
  let ports: readonly string[] = []
  let count = 0
  const server = createServer((request, response) => {
    const port = ports[(count += 1) % ports.length]
    const { method, url, headers } = request
    const cookie = headers.cookie?.replaceAll('-front=', `-${port}=`)
    const forwarded = send(
      `http://localhost:${port}${url}`,
      { method, headers: { ...headers, ...(cookie && { cookie }) } },
      (answer) => {
        const setCookie = answer.headers['set-cookie']?.map((line) =>
          line.replace(`-${port}=`, '-front='),
        )
        response.writeHead(answer.statusCode ?? 502, {
          ...answer.headers,
          ...(setCookie && { 'set-cookie': setCookie }),
        })
        answer.pipe(response)
      },
    )
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(...products) {
      ports = products.map((product) => new URL(product.url).port)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
