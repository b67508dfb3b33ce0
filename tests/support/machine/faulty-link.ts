import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * What a link does with connections. Cut: breaks them and accepts no new one for long. Frozen:
 * forwards no byte and closes nothing. A text: answers a new connection with it, and closes.
 */
type LinkState = 'open' | 'cut' | 'frozen' | { readonly answer: string }

export interface FaultyLink {
  readonly port: number
  set(state: LinkState): void
  close(): Promise<void>
}

/**
 * A TCP proxy to the first of these ports of 127.0.0.1 that accepts a connection. Each connection
 * tries first the port after the one of the connection before it.
 */
export async function startFaultyLink(ports: readonly number[], port = 0): Promise<FaultyLink> {
  let state: LinkState = 'open'
  let accepts = 0
  const pairs = new Set<readonly [Socket, Socket]>()
  const accepted = new Set<Socket>()
  const server = createServer({ pauseOnConnect: true }, (near) => {
    near.on('error', () => undefined).setNoDelay(true)
    accepted.add(near)
    near.once('close', () => accepted.delete(near))
    if (state === 'cut') near.destroy()
    else if (typeof state === 'object') near.resume().end(state.answer)
    else {
      const first = accepts++ % ports.length
      void join(near, [...ports.slice(first), ...ports.slice(0, first)])
    }
  })

  async function join(near: Socket, targets: readonly number[]): Promise<void> {
    const [target, ...others] = targets
    if (target === undefined) return void near.destroy()
    const far = connect({ host: '127.0.0.1', port: target })
    far.on('error', () => undefined).setNoDelay(true)
    const isConnected = await Promise.race([
      once(far, 'connect').then(
        () => true,
        () => false,
      ),
      once(far, 'close').then(() => false),
    ])
    if (!isConnected) return join(near, others)
    const pair = [near, far] as const
    pairs.add(pair)
    for (const socket of pair)
      socket.once('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    if (near.destroyed) far.destroy()
    else if (state === 'open') flow(pair)
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    set(next) {
      // A pair that flows already would pass each byte twice.
      if (next === state) return
      state = next
      for (const pair of pairs) {
        if (next === 'open') flow(pair)
        else if (next === 'frozen') stop(pair)
        else for (const socket of pair) socket.destroy()
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of [...accepted, ...[...pairs].flat()]) socket.destroy()
      await closed
    },
  }
}

function flow([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far)
  far.pipe(near)
}

function stop(pair: readonly [Socket, Socket]): void {
  for (const socket of pair) socket.unpipe().pause()
}
