import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

export interface CuttingProxy {
  readonly port: number
  /** Breaks every connection and refuses new ones. For a client, this looks like a dead server. */
  cut(): Promise<void>
  /** Forwards connections to the server again, on the same port. */
  mend(): Promise<void>
  close(): Promise<void>
}

/** A proxy to a server that the test cannot stop. */
export async function startCuttingProxy(host: string, port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let server: Server | null = null

  async function listen(on: number): Promise<Server> {
    const listening = createServer((near) => {
      const far = connect({ host, port })
      for (const socket of [near, far]) {
        sockets.add(socket)
        socket.setNoDelay(true)
        socket.on('error', () => undefined)
        socket.once('close', () => {
          sockets.delete(socket)
          near.destroy()
          far.destroy()
        })
      }
      near.pipe(far)
      far.pipe(near)
    }).listen(on, '127.0.0.1')
    await once(listening, 'listening')
    return listening
  }

  async function cut(): Promise<void> {
    if (server === null) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    server = null
    await closed
  }

  const own = await freePort()
  server = await listen(own)
  return {
    port: own,
    cut,
    async mend() {
      server = await listen(own)
    },
    close: cut,
  }
}
