import { createClient, profile } from '../support/product/client.ts'
import { startTraceCollector } from '../support/machine/trace-collector.ts'
import { startProduct } from '../support/product/run-product.ts'
import { milliseconds, type Row } from './report.ts'
import { median, percentile } from './statistics.ts'

const rounds = 9
const callsPerRound = 20

type Client = ReturnType<typeof createClient>

const { has_accepted_terms: _, ...fields } = profile
/** The version of each client's profile after its last change. */
const versions = new WeakMap<Client, unknown>()

/** A read has a route and two queries. A write has also a command, two reads and an append. */
const calls: Readonly<Record<string, (client: Client, count: number) => Promise<number>>> = {
  'a read (the session)': async (client) => (await client.get('/api/auth/session')).status,
  'a write (the profile)': async (client, count) => {
    const profile_version =
      versions.get(client) ?? (await client.get('/api/profile')).body?.['profile_version']
    const changed = { ...fields, address: `${count} Orchard Lane`, profile_version }
    const { status, body } = await client.send('PATCH', '/api/profile', changed)
    versions.set(client, body?.['profile_version'])
    return status
  },
}

/**
 * Measures calls of a product with a collector against one without. In each round the two take
 * turns, so a ratio belongs to one round.
 */
export async function benchTracing(): Promise<readonly Row[]> {
  const collector = await startTraceCollector()
  const env = { EVENTSTORE_URL: undefined, DATABASE_URL: undefined, LOG_LEVEL: 'error' }
  const off = await startProduct({ env })
  const on = await startProduct({ env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  try {
    const clients = { off: createClient(off), on: createClient(on) }
    await clients.off.signUp('dana@example.com')
    await clients.on.signUp('dana@example.com')
    const rows: Row[] = []
    for (const [what, call] of Object.entries(calls)) rows.push(await compare(what, call, clients))
    if (collector.spans().length === 0) throw new Error('The collector received no span.')
    return rows
  } finally {
    await Promise.all([on.stop(), off.stop()])
    await collector.close()
  }
}

async function compare(
  what: string,
  call: (client: Client, count: number) => Promise<number>,
  clients: { readonly off: Client; readonly on: Client },
): Promise<Row> {
  let count = 0
  const msOf = async (client: Client) => {
    const began = performance.now()
    for (let index = 0; index < callsPerRound; index += 1) {
      const status = await call(client, (count += 1))
      if (status !== 200) throw new Error(`A call was answered with ${status}.`)
    }
    return (performance.now() - began) / callsPerRound
  }
  const off: number[] = []
  const on: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const isOnFirst = round % 2 === 0
    const first = await msOf(isOnFirst ? clients.on : clients.off)
    const second = await msOf(isOnFirst ? clients.off : clients.on)
    // The first round warms the processes up.
    if (round === 0) continue
    on.push(isOnFirst ? first : second)
    off.push(isOnFirst ? second : first)
  }
  const ratios = on.map((ms, round) => ms / (off[round] ?? ms))
  return {
    what: `${what}, with tracing`,
    measured: milliseconds(median(on)),
    against: `without, ${milliseconds(median(off))}`,
    ratio: median(ratios),
    details: [
      `${what}: the ratios of the middle half of ${rounds} rounds are ${percentile(ratios, 0.25).toFixed(2)} to ${percentile(ratios, 0.75, 'upper').toFixed(2)}.`,
    ],
  }
}
