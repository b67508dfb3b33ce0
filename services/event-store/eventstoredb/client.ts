import { EventStoreDBClient, type GossipClusterOptions, type SingleNodeOptions, type DNSClusterOptions } from '@eventstore/db-client'
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
        ...(settings.tls?.client && { userCertFile: settings.tls.client.certificate, userKeyFile: settings.tls.client.key }),
      },
      settings.credentials ?? undefined,
    )

    // A call an append, with gRPC's own deadline, instead of the client's one stream for all of them: that one keeps
    // its pending appends in one map for the whole process. When the stream of one connection breaks, everybody's are
    // rejected, and the answer to one of these is then an exception in an event handler, which ends the process.
    this.supports = () => Promise.resolve(false)

    // The client reconnects without anybody waiting for it: that no node tells who leads would be an unhandled
    // rejection, which ends the process, too. The next call meets the same failure, and has somebody to tell.
    const handleError = this.handleError
    this.handleError = (client, error) => handleError(client, error).catch(() => undefined)

    const getChannel = this.getChannel
    this.getChannel = async () => (this.#channel = await getChannel())
  }

  /** Ends all streams, and the connection: `dispose` alone would leave it open for half an hour. */
  async close(): Promise<void> {
    await this.dispose()
    this.#channel?.close()
  }
}

function connectionOf(settings: ConnectionSettings, only: Endpoint | undefined): SingleNodeOptions | GossipClusterOptions | DNSClusterOptions {
  const { connectionName, nodePreference, keepAliveInterval, keepAliveTimeout, discoveryInterval, maxDiscoverAttempts, gossipTimeout } = settings
  const common = { connectionName, keepAliveInterval, keepAliveTimeout, throwOnAppendFailure: true }
  const search = { nodePreference, discoveryInterval, maxDiscoverAttempts, gossipTimeout }
  const [first] = settings.hosts
  if (only !== undefined || !settings.isCluster || first === undefined) return { ...common, endpoint: { ...(only ?? first ?? { address: 'localhost', port: 2113 }) } }
  return settings.hosts.length > 1
    ? { ...common, ...search, endpoints: settings.hosts.map((host) => ({ ...host })) }
    : { ...common, ...search, discover: { ...first } }
}
