import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface FreezingProxy {
  /** The database's address, through the proxy. */
  readonly connectionString: string
  /** From now on not a byte goes either way, and nothing is closed: as when a host or a network vanishes. */
  freeze(): void
  close(): Promise<void>
}

/** A way to a database that can be lost without anybody being told. */
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
