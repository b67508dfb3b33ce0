import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import express from 'express'
import pg from 'pg'
import { pino } from 'pino'
import { z } from 'zod'
import { webhookRoute } from '#services/billing/webhooks/webhook-route'
import { joinedRouters } from '#services/http/joined-routers'
import { createApp, type App } from '#services/http/app'
import { healthRoutes } from '#services/http/health'
import type { Routes } from '#services/http/routes'
import { createSessions, type Sessions } from '#services/http/sessions/sessions'
import { reportRoute } from '#services/notifications/returned/report-route'
import { inboundTextRoute } from '#services/receivables/stops/inbound-text-route'
import { declaredEndpoints } from '../../support/product/declared-endpoints.ts'
import { mountedRoutes } from '../../support/product/mounted-routes.ts'
import { testStops } from '../../support/receivables/test-stops.ts'

/*
 * The document of the whole API, and the file docs/openapi.json. After a change of the API write
 * the file with WRITE_GOLDEN=1, read the difference and commit the file.
 */

const file = join(import.meta.dirname, '../../../docs/openapi.json')
const publicUrl = 'https://billing.example.com'

const schema = z.record(z.string(), z.unknown())
const operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(schema).default([]),
  responses: z.record(z.string(), schema),
})
const documentSchema = z.looseObject({
  openapi: z.literal('3.1.1'),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({
    schemas: z.record(z.string(), schema),
    securitySchemes: z.record(z.string(), z.looseObject({ name: z.string().optional() })),
  }),
})

let sessions: Sessions
let app: App
let server: Server
let withoutDocs: Server
let text: string
let document: z.infer<typeof documentSchema>
const read = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ method, path, ...found })),
  )

beforeAll(async () => {
  sessions = createSessions({
    // No request of this file has a cookie, so no query is sent.
    pool: new pg.Pool(),
    secrets: ['s'.repeat(32)],
    isHttps: true,
    port: 443,
    clock: { now: () => new Date() },
    passwordMark: 'mark',
    comparePositions: () => 0,
    log: pino({ level: 'silent' }),
  })
  const endpoints = (await declaredEndpoints()).filter(({ path }) => !isDocumentation(path))
  const allAreas: Routes = (route) => endpoints.forEach((endpoint) => route(endpoint))
  const nothing = express.Router()
  const log = pino({ level: 'silent' })
  const appWith = (apiDocs: { webRoot: string } | null) =>
    createApp({
      personOf: (adminId) => Promise.resolve({ adminId, name: null, role: 'owner' }),
      publicUrl,
      trustProxy: true,
      sessions,
      log,
      timeRequests: (_request, _response, next) => next(),
      webhook: joinedRouters([
        webhookRoute({
          verifier: {
            verify: () => {
              throw new Error('not called')
            },
            isSigned: () => {
              throw new Error('not called')
            },
          },
          handle: () => Promise.reject(new Error('not called')),
          log,
        }),
        reportRoute({ returned: null, secret: null, log }),
        inboundTextRoute({
          stops: testStops({
            commands: {
              handle: () => Promise.reject(new Error('not called')),
              load: () => Promise.reject(new Error('not called')),
            },
            clock: { now: () => new Date() },
          }),
          mayAnswerUnread: () => Promise.reject(new Error('not called')),
          publicUrl,
          authToken: null,
          log,
        }),
      ]),
      health: healthRoutes(async () => ({ isReady: true, reasons: [] })),
      areas: [allAreas],
      apiDocs,
      pages: nothing,
      inline: { scripts: [], styles: [] },
    })
  app = appWith({ webRoot: '' })
  server = await listening(app.listener)
  withoutDocs = await listening(appWith(null).listener)
  text = await (await fetch(`${urlOf(server)}/api/openapi.json`)).text()
  document = documentSchema.parse(JSON.parse(text))
})
afterAll(() => {
  for (const each of [server, withoutDocs]) {
    each.closeAllConnections()
    each.close()
  }
  sessions.close()
})

async function listening(served: RequestListener): Promise<Server> {
  const started = createServer(served).listen(0, '127.0.0.1')
  await once(started, 'listening')
  return started
}

function urlOf(started: Server): string {
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}`
}

function isDocumentation(path: string): boolean {
  return path === '/api/openapi.json' || path === '/api/docs'
}

it('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate(schema.parse(JSON.parse(text)))
  expect(errors).toBeUndefined()
  expect([valid, validator.version]).toEqual([true, '3.1'])
})

it('the document has every route of the app, and no other', () => {
  const documented = read().map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  const mounted = mountedRoutes(app.express).map(
    ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
  )
  expect(documented.sort()).toEqual(mounted.sort())
})

it('docs/openapi.json is the document', async () => {
  const pretty = `${JSON.stringify(JSON.parse(text), null, 2)}\n`
  if (process.env['WRITE_GOLDEN'] === '1') await writeFile(file, pretty)
  expect(pretty).toBe(await readFile(file, 'utf8'))
})

describe('each call', () => {
  it('has a summary: a phrase without a full stop that no other call has', () => {
    const summaries = read().map(({ summary }) => summary)
    for (const summary of summaries) expect(summary).toMatch(/^[A-Z][^.]+[^.\s]$/)
    expect(new Set(summaries).size).toBe(summaries.length)
  })

  it('has an operation id that no other call has', () => {
    const ids = read().map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('declares each parameter of its path', () => {
    for (const { path, parameters } of read()) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = parameters.filter((parameter) => parameter['in'] === 'path')
      expect([path, declared.map(({ name }) => name)]).toEqual([path, names])
    }
  })

  it('that changes something needs X-Requested-With: fetch, except the signed webhooks and the call with a key', () => {
    const withHeader = read()
      .filter(({ parameters }) =>
        parameters.some(({ $ref }) => $ref === '#/components/parameters/RequestedWith'),
      )
      .map(({ method, path }) => `${method} ${path}`)
    const changing = read()
      .filter(
        ({ method, path, security }) =>
          method !== 'get' &&
          !['/api/stripe/webhook', '/api/twilio/texts', '/api/mail/delivery-reports'].includes(
            path,
          ) &&
          !security.some(({ merchantKey }) => merchantKey),
      )
      .map(({ method, path }) => `${method} ${path}`)
    expect(withHeader).toEqual(changing)
  })

  it('of a session can answer 401', () => {
    for (const { path, security, responses } of read())
      if (security.length > 0)
        expect([path, Object.keys(responses)]).toContainEqual(expect.arrayContaining(['401']))
  })
})

it.each(['/api/openapi.json', '/api/docs'])(
  '%s is an unknown path if the documentation is not served',
  async (path) => {
    const answer = await fetch(urlOf(withoutDocs) + path)
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: `There is no API call GET ${path}.` },
    ])
  },
)

it('the security schemes name the cookies that the product sets', () => {
  const { customerSession, adminSession } = document.components.securitySchemes
  expect([customerSession?.name, adminSession?.name]).toEqual([
    '__Host-ar-customer',
    '__Host-ar-admin',
  ])
})

it('no object of two fields or more occurs twice without a name', () => {
  const seen = new Map<string, number>()
  const visit = (value: unknown, isNamed: boolean): void => {
    if (Array.isArray(value)) value.forEach((member) => visit(member, false))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const found = z.object({ properties: schema }).safeParse(value)
    if (!isNamed && found.success && Object.keys(found.data.properties).length > 1) {
      const key = JSON.stringify(value)
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    for (const member of Object.values(value)) visit(member, false)
  }
  visit(document.paths, false)
  for (const component of Object.values(document.components.schemas)) visit(component, true)
  expect([...seen].filter(([, count]) => count > 1)).toEqual([])
})
