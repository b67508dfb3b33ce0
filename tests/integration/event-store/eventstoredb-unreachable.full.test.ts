import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import {
  createSecureServer,
  createServer as createHttp2Server,
  type Http2Server,
  type ServerHttp2Stream,
} from 'node:http2'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { EventStoreUnavailable } from '#services/event-store/errors'
import { parseConnectionString } from '#services/event-store/eventstoredb/connection-string'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { waitUntilReachable } from '#services/event-store/eventstoredb/wait-until-reachable'
import { StartupError } from '#services/foundation/startup-error'
import { someEvent } from '../../support/data/some-event.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { selfSigned } from '../../support/machine/self-signed.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

/*
 * The connection to an EventStoreDB, tested without one: ports without a server, and servers that
 * are no EventStoreDB.
 */

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const servers: (Server | Http2Server)[] = []
beforeEach(async () => {
  directory = await temporaryDirectory()
})
afterEach(async () => {
  for (const server of servers.splice(0)) server.close()
  await directory.remove()
})

async function listening(server: Server | Http2Server): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Answers every call with this gRPC status. */
const answering =
  (status: number, message: string) =>
  (stream: ServerHttp2Stream): void => {
    stream.respond(
      {
        ':status': 200,
        'content-type': 'application/grpc',
        'grpc-status': String(status),
        'grpc-message': message,
      },
      { endStream: true },
    )
  }

/** The lines that a start logs while it waits, and its error message. */
async function start(url: string): Promise<{ logged: readonly string[]; refusal: string }> {
  const logged: string[] = []
  const refusal = await waitUntilReachable(parseConnectionString(url), {
    print: (line) => logged.push(line),
    timeoutMs: 1_200,
  }).then(
    () => 'It started.',
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartupError)
      return (error as Error).message
    },
  )
  return { logged, refusal }
}

describe('an EventStoreDB that cannot be reached', () => {
  it('makes each call fail with EventStoreUnavailable within a bounded time', async () => {
    const store = createEventStoreDbEventStore({
      connectionString: `esdb://127.0.0.1:${await freePort()}?tls=false`,
      retryWithinMs: 300,
    })
    await expect(store.append('test-1', 'no-stream', [someEvent()])).rejects.toThrow(
      EventStoreUnavailable,
    )
    await expect(store.readStream('test-1')).rejects.toThrow(EventStoreUnavailable)
    await expect(store.lastPosition()).rejects.toThrow(EventStoreUnavailable)
    await expect(store.readAll(null)[Symbol.asyncIterator]().next()).rejects.toThrow(
      EventStoreUnavailable,
    )
    await store.close()
    await expect(store.readStream('test-1')).rejects.toThrow(EventStoreUnavailable)
  })

  it('makes each call fail with EventStoreUnavailable if no node of the cluster can be reached', async () => {
    const [a, b] = [await freePort(), await freePort()]
    const store = createEventStoreDbEventStore({
      connectionString: `esdb://127.0.0.1:${a},127.0.0.1:${b}?tls=false&maxDiscoverAttempts=2`,
      retryWithinMs: 300,
    })
    await expect(store.append('test-1', 'no-stream', [someEvent()])).rejects.toThrow(
      EventStoreUnavailable,
    )
    await expect(store.readStream('test-1')).rejects.toThrow(EventStoreUnavailable)
    await store.close()
  })

  it('makes the start log one line, wait, and stop with one error message', async () => {
    const port = await freePort()
    const { logged, refusal } = await start(`esdb://ops:secret@127.0.0.1:${port}?tls=false`)
    expect(logged).toEqual([`Waiting for EventStoreDB at 127.0.0.1:${port} …`])
    expect(refusal).toBe(
      `No answer from EventStoreDB at 127.0.0.1:${port} within 1.2 seconds (connect ECONNREFUSED 127.0.0.1:${port}): start it, or correct EVENTSTORE_URL.`,
    )
  })

  it('makes the start wait while EventStoreDB starts', async () => {
    const server = createHttp2Server().on('stream', answering(14, 'Server Is Not Ready'))
    const { logged, refusal } = await start(`esdb://127.0.0.1:${await listening(server)}?tls=false`)
    expect(logged).toHaveLength(1)
    expect(refusal).toMatch(
      /\(the server is still starting\): start the product again when the server is ready/,
    )
  })
})

describe('an EventStoreDB that refuses the connection', () => {
  const secure = async (status: number, message: string) => {
    const ca = join(directory.path, 'ca.crt')
    await writeFile(ca, selfSigned.cert)
    const port = await listening(
      createSecureServer(selfSigned).on('stream', answering(status, message)),
    )
    return { port, option: `tlsCAFile=${encodeURIComponent(ca)}` }
  }

  it('stops the start at once if it refuses the password', async () => {
    const { port, option } = await secure(16, 'Unauthenticated')
    const { logged, refusal } = await start(`esdb://ops:secret@localhost:${port}?${option}`)
    expect(logged).toEqual([])
    expect(refusal).toBe(
      `EventStoreDB at localhost:${port} refuses the user "ops": correct the user or the password in EVENTSTORE_URL.`,
    )
  })

  it('stops the start if it requires a user', async () => {
    const { port, option } = await secure(16, 'Unauthenticated')
    expect((await start(`esdb://localhost:${port}?${option}`)).refusal).toMatch(
      /requires a user: add one to EVENTSTORE_URL/,
    )
  })

  it('stops the start at once if its certificate is not trusted, for a single server and for a cluster', async () => {
    const { port } = await secure(16, 'Unauthenticated')
    for (const hosts of [`localhost:${port}`, `localhost:${port},localhost:${port}`]) {
      const { logged, refusal } = await start(`esdb://ops:secret@${hosts}`)
      expect(logged).toEqual([])
      expect(refusal).toMatch(
        /^The certificate of EventStoreDB at .* is not trusted \(.*self.signed.*\): name the authority that signed it by tlsCAFile in EVENTSTORE_URL\.$/,
      )
    }
  })

  it('stops the start if its certificate is for another host', async () => {
    const { port, option } = await secure(16, 'Unauthenticated')
    expect((await start(`esdb://ops:secret@127.0.0.1:${port}?${option}`)).refusal).toMatch(
      /^The certificate of EventStoreDB at 127\.0\.0\.1:\d+ is for another host/,
    )
  })

  it('stops the start if it does not use TLS', async () => {
    const port = await listening(
      createServer((socket) =>
        socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ),
    )
    expect((await start(`esdb://127.0.0.1:${port}`)).refusal).toMatch(
      /does not use TLS, which EVENTSTORE_URL requires: add tls=false/,
    )
  })
})
