import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { projectionStatus } from '#projections/engine/operate/status'
import { verify } from '#projections/engine/rebuild/verify'
import { runProjectors } from '#projections/engine/run/run-projectors'
import { readModels } from '#projections/read-models'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { createEventStoreDbEventStore } from '#services/event-store/eventstoredb/eventstoredb-event-store'
import { systemClock } from '#services/foundation/clock'
import { ownLogOn } from '../support/event-store/event-store-url.ts'
import {
  killableServers,
  missingToKill,
  type KillableServers,
} from '../support/event-store/killable-servers.ts'
import { startWriters, type Acknowledged } from '../support/event-store/steady-writers.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { createTestDatabase } from '../support/postgres/database.ts'
import { runBilling } from '../support/product/run-billing.ts'
import { startProduct } from '../support/product/run-product.ts'
import { startCustomers, type Click } from '../support/product/steady-customers.ts'
import { silentLog } from '../support/projections/projection-fixture.ts'
import { macKey } from '../support/event-store/mac-key.ts'
import { verifyStored } from '../support/event-store/verify.ts'
import { until } from '../support/machine/until.ts'

/* kill -9 of the EventStoreDB servers under load. Other tests cut the connection to the server. */

if (missingToKill.length > 0) {
  describe('kill -9 of EventStoreDB under load', () => {
    it.skip(`loses no acknowledged event (${missingToKill.join(', ')} not set: see docs/eventstoredb.md)`, () =>
      undefined)
  })
} else {
  const servers = killableServers()
  const what = servers.isCluster
    ? 'kill -9 of the cluster’s leader under load, 10 times'
    : 'kill -9 of the single server under load, 20 times'
  const kills = servers.isCluster ? 10 : 20
  describe(what, () => {
    it(
      'keeps each acknowledged event exactly once, and the read models equal the log',
      () => writersSurvive(servers, kills),
      600_000,
    )
    it(
      'completes each customer request late or refuses it with a message, and saves no request in part',
      () => customersSurvive(servers, kills),
      600_000,
    )
  })
}

async function writersSurvive(servers: KillableServers, kills: number): Promise<void> {
  const db = await createTestDatabase()
  const store = createEventStoreDbEventStore({ connectionString: ownLogOn(servers.url) })
  const codec = createCodec(createPersonalKeys(db.pool, randomBytes(32)))
  const engine = { connectionString: db.connectionString, store, codec, log: silentLog }
  const stop = new AbortController()
  const projecting = readModels.map((model) =>
    runProjectors({ ...engine, model, signal: stop.signal }),
  )
  try {
    const writers = startWriters(
      createCommandHandler({ store, codec, clock: systemClock, macKey }),
      8,
    )
    const outages = await killRepeatedly(servers, kills, writers.acknowledged)
    await writers.stop()

    const events = await everythingIn(store)
    report(
      `${kills} kills, ${new Set(writers.acknowledged.map(({ id }) => id)).size} events acknowledged, ${events.length} in the log, ${writers.refused()} refusals`,
    )
    report(
      `from the kill to the next acknowledged event: ${spread(outages.map(({ sinceKill }) => sinceKill))}`,
    )
    if (servers.isCluster)
      report(
        `from the new leader's election: ${spread(outages.map(({ sinceElection }) => sinceElection))}`,
      )

    const placeOf = new Map(events.map(({ id, stream, revision }) => [id, `${stream} ${revision}`]))
    expect(
      writers.acknowledged.filter(
        ({ id, stream, revision }) => placeOf.get(id) !== `${stream} ${revision}`,
      ),
    ).toEqual([])
    expect(placeOf.size).toBe(events.length)
    expect(writers.changedByRepeat).toEqual([])
    expect(await verifyStored(store, null)).toMatchObject({
      events: events.length,
      problems: [],
    })

    const end = await store.lastPosition()
    await until(
      async () =>
        (await projectionStatus(db.pool)).every(
          ({ position, state }) => position === end && state === 'running',
        ),
      'a read model does not run at the end of the log',
      60,
    )
    for (const model of readModels) {
      expect(await verify({ ...engine, model, signal: stop.signal })).toMatchObject({
        isEqual: true,
        events: events.length,
        checkpointMoved: null,
      })
    }
    if (servers.isCluster)
      expect(Math.max(...outages.map(({ sinceElection }) => sinceElection))).toBeLessThan(1_000)
  } finally {
    stop.abort()
    await Promise.all(projecting)
    await store.close()
    await db.drop()
  }
}

async function customersSurvive(servers: KillableServers, kills: number): Promise<void> {
  const directory = await temporaryDirectory()
  const log = ownLogOn(servers.url)
  const product = await startProduct({
    dataDir: directory.path,
    env: { EVENTSTORE_URL: log, TRUST_PROXY: '1', LOG_LEVEL: 'fatal' },
  })
  try {
    const customers = await startCustomers(product, 4)
    await killRepeatedly(servers, kills, null)
    await customers.stop()
    expect(customers.wrong).toEqual([])

    const store = createEventStoreDbEventStore({ connectionString: log })
    try {
      const events = await everythingIn(store)
      report(
        `${kills} kills, ${customers.clicks.length} clicks done, ${customers.refused()} refused; each took ${spread(customers.tookMs)}`,
      )
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      for (const each of customers.clicks)
        expect(eventTypesOf(each, events)).toEqual(expectedEventTypesOf(each))
      // A refused request leaves no claimed address without an account.
      const opened = new Set(
        events.filter(({ type }) => type === 'AccountOpened').map(({ stream }) => stream),
      )
      const claimed = events
        .filter(({ type }) => type === 'EmailClaimed')
        .map(({ data }) => `account-${data['userId'] as string}`)
      expect(claimed.toSorted()).toEqual([...opened].toSorted())
    } finally {
      await store.close()
    }
    const settings = { DATA_DIR: directory.path, EVENTSTORE_URL: log }
    expect(await runBilling(settings, 'events', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('every chain holds') as unknown,
    })
    expect(await runBilling(settings, 'projections', 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/users_v\d+: equal[^]*purchases_v\d+: equal/) as unknown,
    })
  } finally {
    await product.stop()
    await directory.remove()
  }
}

/** The types of the events that the log has for a completed click. */
function eventTypesOf(click: Click, events: readonly StoredEvent[]): readonly string[] {
  const ofCustomer = events.filter(
    ({ stream }) =>
      stream === (click.kind === 'entered' ? `account-${click.userId}` : `billing-${click.userId}`),
  )
  if (click.kind === 'entered') return ofCustomer.map(({ type }) => type)
  const opened = ofCustomer.filter(
    ({ type, data }) => type === 'CheckoutSessionOpened' && data['sessionId'] === click.sessionId,
  )
  const started = ofCustomer.filter(
    ({ type, data }) =>
      type === 'CheckoutStarted' &&
      opened.some((each) => each.data['checkoutId'] === data['checkoutId']),
  )
  return [...started, ...opened].map(({ type }) => type)
}

function expectedEventTypesOf({ kind }: Click): readonly string[] {
  return kind === 'entered'
    ? ['AccountOpened', 'CompanyProfileCompleted']
    : ['CheckoutStarted', 'CheckoutSessionOpened']
}

interface Outage {
  /** Milliseconds from the kill to the next acknowledged event. */
  readonly sinceKill: number
  /** Milliseconds from the new leader's election to the next acknowledged event. */
  readonly sinceElection: number
}

/**
 * Waits, kills a server and starts it again, `kills` times. All servers run at the end.
 * If `acknowledged` is null, the outages are not measured.
 */
async function killRepeatedly(
  servers: KillableServers,
  kills: number,
  acknowledged: readonly Acknowledged[] | null,
): Promise<readonly Outage[]> {
  const outages: Outage[] = []
  for (let count = 0; count < kills; count += 1) {
    const { length } = acknowledged ?? []
    await sleep(500 + Math.random() * 500)
    if (acknowledged !== null)
      await until(() => acknowledged.length >= length + 50, 'the server acknowledges no append', 60)
    const { node, at } = await servers.kill()
    let electedAt = at
    if (servers.isCluster) electedAt = await servers.untilElected(node)
    else await servers.start(node)
    if (acknowledged !== null) {
      // An append in progress may be acknowledged shortly after the kill. It does not show that the
      // log is available again.
      await until(
        () => (acknowledged.at(-1)?.at ?? 0) > Math.max(at + 250, electedAt - 100),
        'the server acknowledges no append after a kill',
        60,
      )
      const first = acknowledged.find((each) => each.at > Math.max(at + 250, electedAt - 100))
      outages.push({
        sinceKill: (first?.at ?? 0) - at,
        sinceElection: Math.max(0, (first?.at ?? 0) - electedAt),
      })
    }
    if (servers.isCluster) await servers.start(node)
  }
  return outages
}

async function everythingIn(store: EventStore): Promise<readonly StoredEvent[]> {
  const pages: (readonly StoredEvent[])[] = []
  for await (const page of store.readAll(null)) pages.push(page)
  return pages.flat()
}

/** Prints figures for docs/eventstoredb.md. */
function report(line: string): void {
  process.stderr.write(`  ${line}\n`)
}

function spread(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b)
  const seconds = (value: number | undefined) => `${((value ?? 0) / 1_000).toFixed(2)} s`
  return `${seconds(sorted[0])} at least, ${seconds(sorted[Math.floor(sorted.length / 2)])} in the middle, ${seconds(sorted.at(-1))} at most`
}
