import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { FaultPoint, FaultyPart } from '../product/fault-point.ts'

export interface CountedLink {
  readonly port: number
  close(): Promise<void>
}

/**
 * A TCP proxy to a server on 127.0.0.1. Each message of a client is an operation of `fault`. The
 * message of the fault is lost, or it arrives and its answer is lost. Then all connections break.
 */
export async function startCountedLink(
  target: { readonly host: string; readonly port: number },
  fault: FaultPoint,
  part: FaultyPart,
): Promise<CountedLink> {
  const sockets = new Set<Socket>()
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  fault.onStrike(part, breakAll)
  const server = createServer((near) => {
    if (fault.isAway(part)) return void near.destroy()
    const far = connect(target)
    let isAnswerLost = false
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.setNoDelay(true).on('error', () => undefined)
      socket.once('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (message) => {
      const moment = fault.next(part)
      if (moment === 'before') return fault.strike()
      isAnswerLost ||= moment === 'after'
      far.write(message)
    })
    far.on('data', (answer) => {
      if (isAnswerLost) fault.strike()
      else near.write(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
    },
  }
}
