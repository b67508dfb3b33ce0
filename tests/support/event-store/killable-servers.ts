import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { z } from 'zod'
import {
  parseConnectionString,
  type ConnectionSettings,
  type Endpoint,
} from '#services/event-store/eventstoredb/connection-string'
import { eventStoreUrl } from './event-store-url.ts'
import { until } from '../machine/until.ts'

/**
 * Servers that a test can kill. The test controls them only by two shell commands
 * (docs/eventstoredb.md).
 */
export interface KillableServers {
  readonly url: string
  readonly isCluster: boolean
  /**
   * Kills the single server or the cluster's leader with kill -9. `at` is the time after the kill,
   * in milliseconds since 1970.
   */
  kill(): Promise<{ readonly node: Endpoint; readonly at: number }>
  /**
   * Starts the killed node again on its data. In a cluster, waits until one node leads and all
   * others follow.
   */
  start(node: Endpoint): Promise<void>
  /**
   * Waits until a node other than `killed` reports that it leads. Resolves with the time, in
   * milliseconds since 1970.
   */
  untilElected(killed: Endpoint): Promise<number>
}

const settings = [
  ['EVENTSTORE_URL', eventStoreUrl],
  ['EVENTSTORE_KILL_COMMAND', process.env.EVENTSTORE_KILL_COMMAND],
  ['EVENTSTORE_START_COMMAND', process.env.EVENTSTORE_START_COMMAND],
] as const

/** The settings that are missing; empty if there are servers to kill. */
export const missingToKill: readonly string[] = settings
  .filter(([, value]) => value === undefined || value === '')
  .map(([name]) => name)

export function killableServers(): KillableServers {
  const [url = '', killCommand = '', startCommand = ''] = settings.map(([, value]) => value)
  const parsed = parseConnectionString(url)
  const { hosts, isCluster } = parsed
  const states = () => Promise.all(hosts.map((host) => stateOf(host, parsed)))
  return {
    url,
    isCluster,
    async kill() {
      const node = await until(
        async () =>
          hosts.find((_, index) => index === 0 && !isCluster) ??
          hosts[(await states()).indexOf('Leader')],
        'there is no leader',
        60,
      )
      await run(killCommand, node)
      return { node, at: Date.now() }
    },
    async start(node) {
      if (!isCluster) return run(startCommand, node)
      await until(
        async () => {
          // A returned leader with events that no other node has ends itself once to remove them.
          // The start command then starts it again.
          if ((await stateOf(node, parsed)) === null)
            await run(startCommand, node).catch(() => undefined)
          const found = await states()
          return (
            found.filter((state) => state === 'Leader').length === 1 &&
            found.filter((state) => state === 'Follower').length === hosts.length - 1
          )
        },
        'the cluster is not complete',
        60,
      )
    },
    untilElected: (killed) =>
      until(
        async () => {
          // The time before the request, because the answer may take a while.
          const askedAt = Date.now()
          const others = await Promise.all(
            hosts
              .filter(({ port, address }) => port !== killed.port || address !== killed.address)
              .map((host) => stateOf(host, parsed)),
          )
          return others.includes('Leader') && askedAt
        },
        'no node is elected',
        60,
      ),
  }
}

async function run(command: string, { address, port }: Endpoint): Promise<void> {
  // EventStoreDB reads every EVENTSTORE_… variable as an option, and does not start with an unknown
  // option.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')),
  )
  const child = spawn('sh', ['-c', command], {
    env: { ...env, NODE_ADDRESS: address, NODE_PORT: String(port) },
    stdio: 'ignore',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`'${command}' ended with ${code} for ${address}:${port}.`)
}

const gossip = z.object({
  members: z.array(
    z.object({
      state: z.string(),
      isAlive: z.boolean(),
      httpEndPointIp: z.string(),
      httpEndPointPort: z.number(),
    }),
  ),
})

/** The state that a node reports about itself, such as 'Leader'; null without an answer. */
async function stateOf(
  { address, port }: Endpoint,
  { tls }: ConnectionSettings,
): Promise<string | null> {
  const text = await new Promise<string | null>((resolve) => {
    const options = { host: address, port, path: '/gossip', timeout: 500, agent: false as const }
    const request =
      tls === null ? requestHttp(options) : requestHttps({ ...options, ca: tls.rootCertificate })
    request.on('error', () => resolve(null)).on('timeout', () => request.destroy())
    request.on('response', (response) => {
      // A node that has just started to listen may refuse HTTP/1 for a moment, with a text that is
      // no gossip.
      if (response.statusCode !== 200) resolve(null)
      const chunks: Buffer[] = []
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
        .on('error', () => resolve(null))
    })
    request.end()
  })
  if (text === null || text === '') return null
  const { data } = gossip.safeParse(JSON.parse(text))
  return (
    data?.members.find((member) => member.httpEndPointPort === port && member.isAlive)?.state ??
    null
  )
}
