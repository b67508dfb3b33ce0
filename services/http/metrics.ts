import express, { type RequestHandler, type Router } from 'express'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { ReconcilerHealth } from './health.ts'
import { createOutageLog, type WarningLog } from '#services/foundation/outage-log'

/** What a scrape reads about the projections. */
interface MeasuredProjections {
  readonly projections: readonly {
    readonly name: string
    readonly version: number
    readonly schema: string
    /** Null while the event store does not answer. */
    readonly eventsBehind: number | null
    readonly state: string
    readonly isBuilt: boolean
    readonly hasProjector: boolean
    readonly updatedAt: string
  }[]
  readonly skipped: readonly {
    readonly name: string
    readonly version: number
    /** Null while the rows do not contain the event. */
    readonly foldedAt: string | null
  }[]
}

/** The effects of one reactor that wait. */
interface MeasuredOutbox {
  readonly reactor: string
  readonly waiting: number
  readonly failing: number
  readonly dead: number
  readonly oldestSeconds: number
  readonly unattendedSeconds: number
}

export interface Metrics {
  /**
   * Counts events that this process has projected. `projection` is the schema of the read model,
   * such as `users_v5`.
   */
  projected(projection: string, events: number): void
  /**
   * Measures every request, by route. The path is not used: it may contain user ids, and it has too
   * many values.
   */
  readonly timeRequests: RequestHandler
  /**
   * `GET /metrics`, in the text format of Prometheus. Serve it on a port that the public cannot
   * reach.
   */
  readonly routes: Router
}

/**
 * Metrics for operators. Each scrape reads the state of all projections from the database,
 * whichever process runs them.
 */
export function createMetrics({
  overview,
  isWritable,
  reconciler,
  outbox,
  log,
}: {
  overview: () => Promise<MeasuredProjections>
  isWritable: () => Promise<boolean>
  /** Null if its state could not be read. Never rejects. */
  reconciler: () => Promise<ReconcilerHealth | null>
  /** Every reactor, also one without a waiting effect. */
  outbox: () => Promise<readonly MeasuredOutbox[]>
  log: WarningLog
}): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const labelNames = ['projection']
  const gauges = {
    behind: new Gauge({
      name: 'projection_events_behind',
      help: 'Events of the log that a projection has not folded yet. Absent while the event store does not answer.',
      labelNames,
      registers,
    }),
    paused: new Gauge({
      name: 'projection_paused',
      help: '1 while a projection is paused at a poison event.',
      labelNames,
      registers,
    }),
    built: new Gauge({
      name: 'projection_built',
      help: '1 after a read model has reached the end of the log and may be read.',
      labelNames,
      registers,
    }),
    projector: new Gauge({
      name: 'projection_has_projector',
      help: '1 while a process holds the lease of a projection.',
      labelNames,
      registers,
    }),
    age: new Gauge({
      name: 'projection_position_age_seconds',
      help: 'Seconds since the last checkpoint of a projection. Relevant only while the projection is behind.',
      labelNames,
      registers,
    }),
    skipped: new Gauge({
      name: 'projection_skipped_events',
      help: 'Events that an operator skipped and that no rebuild has folded since.',
      labelNames,
      registers,
    }),
    up: new Gauge({
      name: 'projections_readable',
      help: '0 if reading the state of the projections from the database failed.',
      registers,
    }),
  }
  const writable = new Gauge({
    name: 'database_writable',
    help: '1 while the database accepts writes. 0 if its disk is full, it is read-only, or it does not answer.',
    registers,
  })
  const outage = createOutageLog(log, {
    began: 'Reading the state of the projections for /metrics failed; the metrics omit it.',
    lasts: 'Reading the state of the projections for /metrics still fails.',
    over: 'Reading the state of the projections for /metrics succeeds again.',
  })
  const events = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process has projected.',
    labelNames,
    registers,
  })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })

  async function collectProjections(): Promise<void> {
    // The values of the last scrape are removed: a version may have been dropped since.
    for (const gauge of Object.values(gauges)) gauge.reset()
    try {
      const { projections, skipped } = await overview()
      for (const {
        name,
        version,
        schema: projection,
        eventsBehind,
        state,
        isBuilt,
        hasProjector,
        updatedAt,
      } of projections) {
        if (eventsBehind !== null) gauges.behind.set({ projection }, eventsBehind)
        gauges.paused.set({ projection }, state === 'paused' ? 1 : 0)
        gauges.built.set({ projection }, isBuilt ? 1 : 0)
        gauges.projector.set({ projection }, hasProjector ? 1 : 0)
        gauges.age.set({ projection }, Math.max(0, (Date.now() - Date.parse(updatedAt)) / 1_000))
        const lacking = skipped.filter(
          (each) => each.name === name && each.version === version && each.foldedAt === null,
        )
        gauges.skipped.set({ projection }, lacking.length)
      }
      gauges.up.set(1)
      outage.over()
    } catch (error) {
      outage.failed(error)
      gauges.up.set(0)
    }
  }

  const reconcilerGauges = {
    ageSeconds: new Gauge({
      name: 'reconciler_age_seconds',
      help: 'Seconds since the latest complete run of the reconciler, by any process.',
      registers,
    }),
    failures: new Gauge({
      name: 'reconciler_failures',
      help: 'Customers and events that the reconciler could not synchronize and retries.',
      registers,
    }),
    unlinked: new Gauge({
      name: 'reconciler_unlinked_objects',
      help: 'Subscriptions, invoices and refunds at the payment provider whose customer belongs to no account, by the latest nightly run.',
      registers,
    }),
  }

  async function collectReconciler(): Promise<void> {
    const found = await reconciler()
    for (const name of ['ageSeconds', 'failures', 'unlinked'] as const)
      reconcilerGauges[name].set(found?.[name] ?? NaN)
  }

  const reactorLabel = { labelNames: ['reactor'], registers }
  const outboxGauges = {
    waiting: new Gauge({
      name: 'reactor_outbox_waiting',
      help: 'Side effects of a reactor that have not succeeded yet.',
      ...reactorLabel,
    }),
    failing: new Gauge({
      name: 'reactor_outbox_failing',
      help: 'Side effects of a reactor that failed five times or more and are retried.',
      ...reactorLabel,
    }),
    dead: new Gauge({
      name: 'reactor_outbox_dead',
      help: 'Side effects of a reactor whose last attempt failed. An operator retries them.',
      ...reactorLabel,
    }),
    oldest: new Gauge({
      name: 'reactor_outbox_oldest_age_seconds',
      help: 'Age of the oldest side effect of a reactor that has not succeeded yet. 0 without one.',
      ...reactorLabel,
    }),
  }
  const unattended = new Gauge({
    name: 'reactor_unattended_seconds',
    help: 'Seconds since a process last moved the checkpoint of a reactor. More than 60: no process runs the reactor.',
    ...reactorLabel,
  })
  const outboxOutage = createOutageLog(log, {
    began: 'Reading the outbox for /metrics failed; the metrics omit it.',
    lasts: 'Reading the outbox for /metrics still fails.',
    over: 'Reading the outbox for /metrics succeeds again.',
  })

  async function collectOutbox(): Promise<void> {
    for (const gauge of [...Object.values(outboxGauges), unattended]) gauge.reset()
    try {
      for (const measured of await outbox()) {
        const { reactor, waiting, failing, dead, oldestSeconds, unattendedSeconds } = measured
        unattended.set({ reactor }, unattendedSeconds)
        outboxGauges.waiting.set({ reactor }, waiting)
        outboxGauges.failing.set({ reactor }, failing)
        outboxGauges.dead.set({ reactor }, dead)
        outboxGauges.oldest.set({ reactor }, oldestSeconds)
      }
      outboxOutage.over()
    } catch (error) {
      outboxOutage.failed(error)
    }
  }

  const routes = express.Router()
  routes.get('/metrics', async (_request, response) => {
    const [isWritableNow] = await Promise.all([
      isWritable(),
      collectProjections(),
      collectReconciler(),
      collectOutbox(),
    ])
    writable.set(isWritableNow ? 1 : 0)
    response
      .set('Cache-Control', 'no-store')
      .type(registry.contentType)
      .send(await registry.metrics())
  })

  return {
    projected: (projection, count) => events.inc({ projection }, count),
    timeRequests(request, response, next) {
      const stop = requests.startTimer({ method: request.method })
      response.once('close', () =>
        stop({ route: routeOf(request.route), status: String(response.statusCode) }),
      )
      next()
    },
    routes,
  }
}

/** The declared path, such as `/api/subscriptions/:userId`. */
function routeOf(route: unknown): string {
  if (
    typeof route === 'object' &&
    route !== null &&
    'path' in route &&
    typeof route.path === 'string'
  )
    return route.path
  return 'page'
}
