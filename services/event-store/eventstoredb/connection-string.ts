import { readFileSync } from 'node:fs'
import { StartupError } from '#services/foundation/startup-error'
import { errorCode } from '#services/foundation/error-code'

export interface Endpoint {
  readonly address: string
  readonly port: number
}

/** The parsed EVENTSTORE_URL. */
export interface ConnectionSettings {
  /** One server, or the gossip seeds of a cluster (nodes, or one DNS name of all nodes). */
  readonly hosts: readonly Endpoint[]
  /**
   * True: the client discovers the cluster's members and its leader. False: the one host is the
   * server.
   */
  readonly isCluster: boolean
  readonly credentials: { readonly username: string; readonly password: string } | null
  readonly tls: {
    readonly rootCertificate: Buffer | undefined
    readonly client: { readonly certificate: Buffer; readonly key: Buffer } | null
  } | null
  /** Prefix of each stream name on the server, for a server that several programs share. */
  readonly streamPrefix: string
  readonly connectionName: string
  readonly nodePreference: 'leader' | 'follower' | 'read_only_replica' | 'random'
  /** Milliseconds. */
  readonly keepAliveInterval: number
  readonly keepAliveTimeout: number
  readonly discoveryInterval: number
  readonly maxDiscoverAttempts: number
  /** In seconds, the client's unit. */
  readonly gossipTimeout: number
}

const form =
  'esdb://user:password@host:2113?tls=true or esdb+discover://host1:2113,host2:2113?tls=true'
const shape =
  /^esdb(?<discover>\+discover)?:\/\/(?:(?<user>[^:@/?]+):(?<password>[^@/?]*)@)?(?<hosts>[^@/?]+)\/?(?:\?(?<query>.*))?$/

/**
 * Parses a connection string in the vendor's format, with one more option, `streamPrefix`. The
 * client's own parser is not used: it warns on the console, cuts a password at a colon and reports
 * errors by character position.
 * @throws StartupError without the password
 */
export function parseConnectionString(text: string): ConnectionSettings {
  const parts = shape.exec(text.trim())?.groups
  if (parts === undefined) throw refused(`must look like ${form}`)
  const hosts = (parts['hosts'] ?? '').split(',').map(endpoint)
  const options = optionsOf(parts['query'] ?? '')
  const { take, numberOf, refuseRest } = options
  const tls = oneOf('tls', take('tls') ?? 'true', ['true', 'false'])
  const [caFile, certificateFile, keyFile] = [
    take('tlsCAFile'),
    take('userCertFile'),
    take('userKeyFile'),
  ]
  if ((certificateFile === undefined) !== (keyFile === undefined))
    throw refused('has only one of userCertFile and userKeyFile: give both, or none')
  if (take('tlsVerifyCert') === 'false')
    throw refused(
      'has tlsVerifyCert=false, which this client does not support: set tlsCAFile to the certificate of the signing authority',
    )
  if (take('throwOnAppendFailure') === 'false')
    throw refused(
      'has throwOnAppendFailure=false, with which the client reports a wrong revision on conflict: remove the option',
    )
  // Ignored: each call of the adapter has its own timeout.
  take('defaultDeadline')
  const streamPrefix = take('streamPrefix') ?? ''
  if (!/^([A-Za-z0-9][A-Za-z0-9_.-]*)?$/.test(streamPrefix))
    throw refused(
      `has the streamPrefix '${streamPrefix}': use letters, digits, '.', '_' and '-', and begin with a letter or digit`,
    )
  const settings: ConnectionSettings = {
    hosts,
    isCluster: parts['discover'] !== undefined || hosts.length > 1,
    credentials:
      parts['user'] === undefined
        ? null
        : { username: decoded(parts['user']), password: decoded(parts['password'] ?? '') },
    tls:
      tls === 'false'
        ? null
        : {
            rootCertificate: caFile === undefined ? undefined : certificate('tlsCAFile', caFile),
            client:
              certificateFile === undefined || keyFile === undefined
                ? null
                : {
                    certificate: certificate('userCertFile', certificateFile),
                    key: certificate('userKeyFile', keyFile),
                  },
          },
    streamPrefix,
    connectionName: take('connectionName') ?? 'billing',
    nodePreference: nodePreference(take('nodePreference')),
    // Below 10 s the client warns on the console.
    keepAliveInterval: numberOf('keepAliveInterval', 10_000),
    keepAliveTimeout: numberOf('keepAliveTimeout', 10_000),
    discoveryInterval: numberOf('discoveryInterval', 100),
    maxDiscoverAttempts: numberOf('maxDiscoverAttempts', 10),
    // A frozen member delays discovery by this time. The client's default of 5 s is half of an
    // append's timeout.
    gossipTimeout: numberOf('gossipTimeout', 2),
  }
  refuseRest()
  return settings
}

/** `host:2113` or `host1:2113, host2:2113`, for messages. */
export function placeOf({ hosts }: Pick<ConnectionSettings, 'hosts'>): string {
  return hosts.map(({ address, port }) => `${address}:${port}`).join(', ')
}

function endpoint(text: string): Endpoint {
  const [, address, port = '2113'] =
    /^([^:\s$+!*'();{}|"%~#<>=&]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? []
  if (address === undefined || Number(port) > 65_535)
    throw refused(`names the host '${text}', which is not host or host:port`)
  return { address, port: Number(port) }
}

/** Option names are case-insensitive, as in the vendor's clients. */
function optionsOf(query: string) {
  const values = new Map<string, { readonly name: string; readonly value: string }>()
  for (const pair of query.split('&').filter((each) => each !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    if (value === '') throw refused(`has '${name}' without a value`)
    values.set(name.toLowerCase(), { name, value: decoded(value) })
  }
  const take = (name: string): string | undefined => {
    const found = values.get(name.toLowerCase())
    values.delete(name.toLowerCase())
    return found?.value
  }
  return {
    take,
    numberOf(name: string, otherwise: number): number {
      const value = take(name)
      if (value === undefined) return otherwise
      if (!/^-?\d{1,9}$/.test(value))
        throw refused(`has ${name}=${value}, which is not a whole number`)
      return Number(value)
    },
    refuseRest() {
      const [unknown] = values.values()
      if (unknown !== undefined)
        throw refused(`has the option '${unknown.name}', which this release does not know`)
    },
  }
}

function nodePreference(value = 'leader'): ConnectionSettings['nodePreference'] {
  const preferences = {
    leader: 'leader',
    follower: 'follower',
    readonlyreplica: 'read_only_replica',
    random: 'random',
  } as const
  const name = value.toLowerCase().replace(/[_-]/g, '')
  if (!(name in preferences))
    throw refused(`has nodePreference=${value}: it is leader, follower, readOnlyReplica or random`)
  return preferences[name as keyof typeof preferences]
}

function oneOf<Value extends string>(
  name: string,
  value: string,
  allowed: readonly Value[],
): Value {
  const found = allowed.find((each) => each === value.toLowerCase())
  if (found === undefined) throw refused(`has ${name}=${value}: it is ${allowed.join(' or ')}`)
  return found
}

function certificate(option: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    const code = errorCode(error) ?? 'unreadable'
    throw refused(`names the file ${file} by ${option}, which cannot be read (${code})`)
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused("has a '%' that is not followed by two hexadecimal digits: write it as %25")
  }
}

function refused(reason: string): StartupError {
  return new StartupError(`EVENTSTORE_URL ${reason}. Correct it and start again.`)
}
