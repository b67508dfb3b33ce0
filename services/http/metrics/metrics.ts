import express, { type RequestHandler, type Router } from 'express'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { WarningLog } from '#services/foundation/outage-log'
import { sharedRun } from '#services/foundation/shared-run'
import type { SpanCounts } from '#services/tracing/counted-export'
import type { ReconcilerHealth } from '../health.ts'
import type { MeasuredWork } from '../admission/admission.ts'
import { accountMetrics, type MeasuredAccounts } from './account-metrics.ts'
import { controlMetrics, type MeasuredControls } from './control-metrics.ts'
import { dependencyMetrics, type MeasuredService } from './dependency-metrics.ts'
import { integrityMetrics, type MeasuredIntegrity } from './integrity-metrics.ts'
import { createMeasure, type MeasureOptions } from './measure.ts'
import { messageMetrics, type MeasuredMessages, type MessageCounts } from './message-metrics.ts'
import { newerReleaseMetrics, type MeasuredNewerRelease } from './newer-release-metrics.ts'
import { outboxMetrics, type MeasuredOutbox } from './outbox-metrics.ts'
import { projectionMetrics, type MeasuredProjections } from './projection-metrics.ts'
import { reconcilerMetrics } from './reconciler-metrics.ts'
import { spanMetrics } from './span-metrics.ts'
import { workMetrics } from './work-metrics.ts'

export interface Metrics {
  /**
   * Counts events that this process has projected. `projection` is the schema of the read model,
   * such as `users_v7`.
   */
  projected(projection: string, events: number): void
  /** Counts the messages to clients of merchants. */
  readonly messages: MessageCounts
  /** Counts a mail that came to BOUNCE_ADDRESS, by what became of it. */
  reportTaken(outcome: string): void
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

/** What is measured. */
interface MetricsParts {
  overview: () => Promise<MeasuredProjections>
  /** Whether /readyz would answer 200. */
  isReady: () => Promise<boolean>
  isWritable: () => Promise<boolean>
  /** Null before its first run. */
  reconciler: () => Promise<ReconcilerHealth | null>
  /** Every reactor, also one without a waiting effect. */
  outbox: () => Promise<readonly MeasuredOutbox[]>
  controls: () => Promise<MeasuredControls>
  /** Default: none is due, in a process without a clock. */
  messages?: () => Promise<MeasuredMessages>
  /** Default: none, in a process without a log of its own. */
  accounts?: () => Promise<MeasuredAccounts>
  integrity: () => Promise<MeasuredIntegrity>
  newerRelease?: MeasuredNewerRelease
  /** Null without tracing. */
  spans?: (() => SpanCounts) | null
  /** The classes of requests. Default: none, in a process that serves no people. */
  work?: () => readonly MeasuredWork[]
  outside?: () => readonly MeasuredService[]
  log: WarningLog
  measuring?: MeasureOptions
}

/**
 * Metrics for operators. Each scrape reads the state of all projections from the database,
 * whichever process runs them. It answers within 1 s, also if the database does not answer
 * (`createMeasure`).
 */
export function createMetrics({
  overview,
  isReady,
  isWritable,
  reconciler,
  outbox,
  controls,
  messages = () => Promise.resolve({ due: 0, oldestSeconds: 0, oldestRetrySeconds: 0, failing: 0 }),
  accounts = () => Promise.resolve({ accounts: 0, oldestCheckSeconds: 0, openCheckouts: 0 }),
  integrity,
  newerRelease,
  spans = null,
  work = () => [],
  outside = () => [],
  log,
  measuring,
}: MetricsParts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const measure = createMeasure(registry, log, measuring)
  const readReady = measure('readiness', isReady)
  const readWritable = measure('database', isWritable)
  const ofClients = messageMetrics(registry, messages, measure)
  const collectors = [
    ofClients.collect,
    projectionMetrics(registry, overview, measure),
    reconcilerMetrics(registry, reconciler, measure),
    outboxMetrics(registry, outbox, measure),
    controlMetrics(registry, controls, measure),
    accountMetrics(registry, accounts, measure),
    integrityMetrics(registry, integrity, measure),
    newerReleaseMetrics(registry, newerRelease),
    dependencyMetrics(registry, outside),
  ]
  if (spans !== null) spanMetrics(registry, spans)
  workMetrics(registry, work)
  const ready = new Gauge({
    name: 'process_ready',
    help: '1 while /readyz of this process answers 200.',
    registers,
  })
  const writable = new Gauge({
    name: 'database_writable',
    help: '1 while the database accepts writes. 0 if its disk is full, it is read-only, or it does not answer.',
    registers,
  })
  const events = new Counter({
    name: 'projection_events_total',
    help: 'Events that this process has projected.',
    labelNames: ['projection'],
    registers,
  })
  const reports = new Counter({
    name: 'mail_reports_total',
    help: 'Mails to BOUNCE_ADDRESS that this process has read, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  })

  /** Shared by scrapes at the same time: a scrape needs some milliseconds of the processor. */
  const scrape = sharedRun(async () => {
    const [{ value: isReadyNow }, { value: isWritableNow }] = await Promise.all([
      readReady(),
      readWritable(),
      ...collectors.map((collect) => collect()),
    ])
    // Without a value, no probe has ended since the start or for 5 min.
    ready.set(isReadyNow === true ? 1 : 0)
    writable.set(isWritableNow === true ? 1 : 0)
    return registry.metrics()
  })
  const routes = express.Router()
  routes.get('/metrics', async (_request, response) => {
    const text = await scrape()
    response.set('Cache-Control', 'no-store').type(registry.contentType).send(text)
  })

  return {
    messages: ofClients.counts,
    reportTaken: (outcome) => reports.inc({ outcome }),
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
