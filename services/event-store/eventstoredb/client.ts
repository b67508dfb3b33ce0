import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  EventStoreDBClient,
  type GossipClusterOptions,
  type SingleNodeOptions,
  type DNSClusterOptions,
} from '@eventstore/db-client'
import type { ConnectionSettings, Endpoint } from './connection-string.ts'

/** An EventStoreDB client. It connects on first use and reconnects by itself. */
export class Client extends EventStoreDBClient {
  #channel: Awaited<ReturnType<EventStoreDBClient['getChannel']>> | undefined

  constructor(settings: ConnectionSettings, only?: Endpoint) {
    super(
      // The client's types allow only one kind of connection options for each overload.
      connectionOf(settings, only) as SingleNodeOptions,
      {
        insecure: settings.tls === null,
        ...(settings.tls?.rootCertificate && { rootCertificate: settings.tls.rootCertificate }),
        ...(settings.tls?.client && {
          userCertFile: settings.tls.client.certificate,
          userKeyFile: settings.tls.client.key,
        }),
      },
      settings.credentials ?? undefined,
    )

    // The client requests the server's features without a timeout and caches a failure as the
    // answer, so this skips the request. Every version since 21.10 supports batch appends in one
    // stream, which have 1.5 times the throughput.
    this.supports = () => Promise.resolve(true)
    const createStream = this.GRPCStreamCreator
    this.GRPCStreamCreator = (type, name, create, cache) =>
      createStream(
        type,
        name,
        name === 'appendToStream' ? (client) => guarded(create(client)) : create,
        cache,
      )

    // The client does not await its reconnection. If no node names a leader, that is an unhandled
    // rejection, which ends the process. The next call has the same failure and reports it to its
    // caller.
    const handleError = this.handleError
    this.handleError = (client, error) => handleError(client, error).catch(() => undefined)

    const getChannel = this.getChannel
    this.getChannel = async () => (this.#channel = await getChannel())
  }

  /**
   * Ends all streams and the connection. `dispose` alone waits for each stream and keeps the
   * connection open for 30 minutes.
   */
  async close(): Promise<void> {
    await Promise.race([this.dispose(), sleep(2_000, undefined, { ref: false })])
    this.#channel?.close()
  }
}

/**
 * Guards the append stream against two failures that would end the process. The client keeps the
 * pending appends of all connections in one map. If the stream of one connection breaks, the client
 * rejects all of them, and retry-while-unavailable.ts sends them again.
 * - A late answer to a rejected append throws a TypeError in an event handler. The guard ignores
 *   it.
 * - An append that waits for a broken stream to drain is an unhandled rejection. The guard reports
 *   the stream as writable at all times. Callers await their appends, which bounds the buffer.
 */
function guarded<Stream>(stream: Stream): Stream {
  if (!(stream instanceof Duplex)) return stream
  for (const listener of stream.listeners('data')) {
    stream.off('data', listener as (answer: unknown) => void)
    stream.on('data', (answer: unknown) => {
      try {
        ;(listener as (answer: unknown) => void)(answer)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
    })
  }
  const write = stream.write.bind(stream) as (message: unknown) => boolean
  stream.write = (message: unknown) => {
    write(message)
    return true
  }
  return stream
}

function connectionOf(
  settings: ConnectionSettings,
  only: Endpoint | undefined,
): SingleNodeOptions | GossipClusterOptions | DNSClusterOptions {
  const {
    connectionName,
    nodePreference,
    keepAliveInterval,
    keepAliveTimeout,
    discoveryInterval,
    maxDiscoverAttempts,
    gossipTimeout,
  } = settings
  const common = { connectionName, keepAliveInterval, keepAliveTimeout, throwOnAppendFailure: true }
  const search = { nodePreference, discoveryInterval, maxDiscoverAttempts, gossipTimeout }
  const [first] = settings.hosts
  if (only !== undefined || !settings.isCluster || first === undefined)
    return { ...common, endpoint: { ...(only ?? first ?? { address: 'localhost', port: 2113 }) } }
  return settings.hosts.length > 1
    ? { ...common, ...search, endpoints: settings.hosts.map((host) => ({ ...host })) }
    : { ...common, ...search, discover: { ...first } }
}
