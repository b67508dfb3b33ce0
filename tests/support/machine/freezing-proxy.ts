import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface FreezingProxy {
  /** The address of the database, through the proxy. */
  readonly connectionString: string
  /**
   * Forwards no more bytes in either direction and closes no connection, as if a host or a network
   * had vanished.
   */
  freeze(): void
  close(): Promise<void>
}

/** A proxy to a database. It can stop forwarding without an error for client or server. */
export async function startFreezingProxy(connectionString: string): Promise<FreezingProxy> {
  const target = new URL(connectionString)
  const sockets = new Set<Socket>()
  const pairs: [Socket, Socket][] = []
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    pairs.push([near, far])
    near.pipe(far)
    far.pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    connectionString: Object.assign(new URL(connectionString), {
      host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    }).href,
    freeze() {
      for (const [near, far] of pairs) {
        for (const socket of [near, far]) {
          socket.unpipe()
          socket.pause()
        }
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
