import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Logger } from 'pino'
import type { Admission } from '#services/http/admission/admission'
import { createApp, type AppParts } from '#services/http/app'
import { healthRoutes } from '#services/http/health'
import type { InlineSources } from '#services/http/inline-sources'
import type { Routes } from '#services/http/routes'
import { createSessions } from '#services/http/sessions/sessions'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'

export interface AreaServer {
  readonly url: string
  readonly port: number
  readonly database: TestDatabase
  close(): Promise<void>
}

interface AreaOptions {
  readonly now?: () => number
  readonly database?: TestDatabase
  readonly trustProxy?: boolean
  /** The secrets of the sessions: SESSION_SECRET, and during a change the former one. */
  readonly secrets?: readonly string[]
  /** The digest of the administrators' password. */
  readonly passwordMark?: string
  /** The port in the names of the cookies. Default: the port of the server. */
  readonly cookiePort?: number
  /** Default: the address of the server, over http. */
  readonly publicUrl?: string
  /** The allowed inline scripts and styles, as sources of the content security policy. */
  readonly inline?: InlineSources
  /** Default: every request is handled at once. */
  readonly admission?: Admission
  /** Default: the product has no webhooks. */
  readonly webhook?: AppParts['webhook']
  /** Default: every administrator is an owner without a name. */
  readonly personOf?: AppParts['personOf']
  /** Default: no key of a merchant is valid. */
  readonly keyHolderOf?: AppParts['keyHolderOf']
}

/**
 * Serves the calls of one area as the product does, with sessions in a test database. `now` is the
 * security clock, in milliseconds. Without `database` the area gets a new one.
 */
export async function serveArea(
  area: Routes,
  log: Logger,
  {
    now = Date.now,
    database: given,
    trustProxy = false,
    secrets = ['s'.repeat(32)],
    passwordMark = 'mark',
    cookiePort,
    publicUrl,
    inline = { scripts: [], styles: [] },
    admission,
    webhook = { router: express.Router(), calls: [] },
    personOf = (adminId) => Promise.resolve({ adminId, name: null, role: 'owner' }),
    keyHolderOf,
  }: AreaOptions = {},
): Promise<AreaServer> {
  const database = given ?? (await createTestDatabase())
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const sessions = createSessions({
    pool: database.pool,
    secrets,
    isHttps: publicUrl?.startsWith('https:') ?? false,
    port: cookiePort ?? port,
    clock: { now: () => new Date(now()) },
    comparePositions: (a, b) => Number(a) - Number(b),
    passwordMark,
    log,
  })
  const nothing = express.Router()
  server.on(
    'request',
    createApp({
      personOf,
      ...(keyHolderOf && { keyHolderOf }),
      publicUrl: publicUrl ?? url,
      trustProxy,
      sessions,
      log,
      timeRequests: nothing,
      webhook,
      areas: [area],
      health: healthRoutes(async () => ({ isReady: true, reasons: [] })),
      apiDocs: null,
      pages: nothing,
      inline,
      ...(admission && { admission }),
    }).listener,
  )
  return {
    url,
    port,
    database,
    async close() {
      server.closeAllConnections()
      server.close()
      sessions.close()
      if (given === undefined) await database.drop()
    },
  }
}
