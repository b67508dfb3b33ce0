import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { createPool } from '#services/postgres/connect'

/*
 * A killed PostgreSQL sends its last error to each connection. A connection that was just opened,
 * or whose statement just ended, gets this error together with the answer before, in one packet.
 * At this moment nothing waits for the connection, and an `error` event without a listener would
 * end the process.
 */

function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(type), length, content])
}

const reason = 'terminating connection due to unexpected postmaster exit'
const authenticated = message('R', Buffer.alloc(4))
const readyForQuery = message('Z', 'I')
const lastError = message('E', `SFATAL\0C57P01\0M${reason}\0\0`)

let server: Server
let connectionString: string
const sockets = new Set<Socket>()
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([authenticated, readyForQuery, lastError])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  connectionString = `postgres://billing@127.0.0.1:${port}/billing`
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  server.close()
  await once(server, 'close')
})

it('ends no process by its last error to the event store', async () => {
  const store = createPostgresEventStore({ connectionString })
  const append = store.append('account-usr_1', 'no-stream', [
    {
      id: '00000000-0000-4000-8000-000000000001',
      type: 'AccountOpened',
      data: {},
      metadata: {},
    },
  ])
  await expect(append).rejects.toThrow('The event store cannot be reached')
  await expect(store.readLast('account-usr_1')).rejects.toThrow('The event store cannot be reached')
  await store.close()
})

it('ends no process by its last error to another part of the product', async () => {
  const pool = createPool(connectionString)
  await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated')
  await pool.end()
})
