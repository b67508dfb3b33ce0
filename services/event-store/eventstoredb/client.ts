import { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  EventStoreDBClient,
  type GossipClusterOptions,
  type SingleNodeOptions,
  type DNSClusterOptions,
} from '@eventstore/db-client'
import type { ConnectionSettings, Endpoint } from './connection-string.ts'

/** A connection that is made when it is first used, and made again by the client itself when it breaks. */
export class Client extends EventStoreDBClient {
  #channel: Awaited<ReturnType<EventStoreDBClient['getChannel']>> | undefined

  constructor(settings: ConnectionSettings, only?: Endpoint) {
    super(
      // The types know one way of connecting at a time.
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

    // What the server can do is asked without a deadline, and a failure to ask is kept as the answer. Every version
    // since 21.10 takes appends in one stream, which carries half as much again as a call an append.
    this.supports = () => Promise.resolve(true)
    const createStream = this.GRPCStreamCreator
    this.GRPCStreamCreator = (type, name, create, cache) =>
      createStream(
        type,
        name,
        name === 'appendToStream' ? (client) => hardened(create(client)) : create,
        cache,
      )

    // The client reconnects without anybody waiting for it: that no node tells who leads would be an unhandled
    // rejection, which ends the process, too. The next call meets the same failure, and has somebody to tell.
    const handleError = this.handleError
    this.handleError = (client, error) => handleError(client, error).catch(() => undefined)

    const getChannel = this.getChannel
    this.getChannel = async () => (this.#channel = await getChannel())
  }

  /** Ends all streams, and the connection: `dispose` alone would leave it open for half an hour, and waits for each stream. */
  async close(): Promise<void> {
    await Promise.race([this.dispose(), sleep(2_000, undefined, { ref: false })])
    this.#channel?.close()
  }
}

/**
 * The client keeps the pending appends of all connections in one map for the whole process. When one connection's stream
 * breaks, everybody's are rejected; they are sent again (retry-while-unavailable.ts). Two things would end the process:
 * an answer to an append that was so rejected is an exception in an event handler, and an append that waits for the stream
 * to drain when it breaks is an unhandled rejection. So such an answer is passed over, and the stream always takes more:
 * what it may hold is what callers wait for.
 */
function hardened<Stream>(stream: Stream): Stream {
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
