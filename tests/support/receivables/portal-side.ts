import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { randomUUID } from 'node:crypto'
import express from 'express'
import pino from 'pino'
import { parseUserId, type ReceivableId, type UserId } from '#contracts/ids'
import { daysOverdueOf } from '#contracts/receivables/invoice-status'
import type { StatementResponse } from '#contracts/receivables/statement'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { parseTimeZone } from '#services/finance/time-zone'
import { merchantStream } from '#services/foundation/stream-names'
import { createLimits } from '#services/http/limits'
import type { createPay } from '#services/receivables/checkout/pay'
import type { CheckoutSync } from '#services/receivables/checkout/sync-checkout'
import { merchantDecider } from '#services/receivables/merchant-decider'
import type { Merchant } from '#services/receivables/merchant-access'
import { createPortal } from '#services/receivables/portal/portal'
import { createPortalDocuments } from '#services/receivables/portal/portal-document'
import { portalRoutes } from '#services/receivables/portal/portal-routes'
import { createPortalTokens } from '#services/receivables/portal/portal-tokens'
import { createLogos } from '#services/receivables/brand/logos'
import type { ReceivablesQueries } from '#services/receivables/receivables-queries'
import { openOf } from '#services/receivables/receivable-state'
import { createReceivables } from '#services/receivables/receivables-service'
import { renderPaymentReceipt } from '#services/receivables/statement/render-payment-receipt'
import { renderStatement } from '#services/receivables/statement/render-statement'
import type { StatementFile } from '#services/receivables/statement/statement-files'
import { macKey } from '../event-store/mac-key.ts'
import { temporaryDirectory } from '../machine/temporary-directory.ts'
import { createTestDatabase } from '../postgres/database.ts'
import { testStops } from './test-stops.ts'

export const portalTokens = createPortalTokens([Buffer.alloc(32, 1)])

export const openMerchant: Merchant = {
  isBlocked: false,
  isErased: false,
  plan: 'none',
  feeBasisPoints: null,
  companyName: 'Alder <Dental>',
  email: 'front@alderdental.example',
  phone: '(541) 555-0162',
  address: ['1140 Alder Street', 'Eugene, OR 97401'],
}

/**
 * The client portal over HTTP, on a real log. The statement of a client is computed from the
 * streams of its invoices: `owned` has their ids.
 */
export async function startPortalSide({
  wrap = (store: EventStore) => store,
  pay = () => Promise.resolve({ kind: 'not-possible' }),
  sync = { sync: () => Promise.resolve(null) },
  shows = () => Promise.resolve(),
}: {
  readonly wrap?: (store: EventStore) => EventStore
  readonly pay?: ReturnType<typeof createPay>
  readonly sync?: Pick<CheckoutSync, 'sync'>
  readonly shows?: ReceivablesQueries['shows']
} = {}) {
  const database = await createTestDatabase()
  const directory = await temporaryDirectory()
  const time = { now: Date.parse('2026-11-25T18:12:00.000Z') }
  const clock = { now: () => new Date(time.now) }
  const merchant = { now: openMerchant }
  const logged: string[] = []
  const owned = new Map<string, readonly ReceivableId[]>()
  const zone = parseTimeZone('America/Los_Angeles')
  if (zone === null) throw new Error('This Node has no time zones.')

  const store = wrap(createPostgresEventStore({ connectionString: database.connectionString }))
  const keys = createPersonalKeys(database.pool, Buffer.alloc(32, 7))
  const commands = createCommandHandler({ store, codec: createCodec(keys), clock, macKey })
  const receivables = createReceivables({
    commands,
    keys,
    clock,
    isErased: () => Promise.resolve(false),
    defaultTimeZone: () => Promise.resolve(zone),
  })
  const stops = testStops({ commands, clock })
  writeFileSync(
    join(directory.path, 'client-portal.html'),
    '<head><!--title--><!--brand--></head><body><!--portal--></body>',
  )
  const brands = {
    settingsOf: async (id: UserId) =>
      (await commands.load({ decider: merchantDecider, stream: merchantStream(id) })).state,
  }
  // In this thread: a thread takes seconds to start. A test replaces it for one call.
  const files = { render: (statement: StatementFile) => renderStatement(statement) }
  const failing = () => Promise.reject(new Error('The database is gone.'))
  const app = express().use(
    portalRoutes({
      portal: createPortal({
        provider: 'Provider',
        tokens: portalTokens,
        commands,
        receivables,
        queries: { statementParts, shows },
        merchantOf: () =>
          merchant.now.companyName === null ? failing() : Promise.resolve(merchant.now),
        brands,
        publicUrl: 'https://billing.example',
        stops,
      }),
      // Payments have tests of their own, with the sandbox.
      pay,
      sync,
      documents: createPortalDocuments(directory.path),
      sources: { queries: { statementParts }, brands, logos: createLogos(database.pool) },
      files,
      receiptFiles: { render: (receipt) => renderPaymentReceipt(receipt) },
      receivables,
      stops,
      limits: createLimits(database.pool),
      networkOf: (request) => request.get('x-network') ?? 'one',
      publicUrl: 'https://billing.example',
      newId: randomUUID,
      log: pino({ level: 'error' }, { write: (line: string) => void logged.push(line) }),
    }),
  )
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    time,
    merchant,
    logged,
    owned,
    files,
    store,
    commands,
    receivables,
    stops,
    url,
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        headers: { 'x-network': randomUUID(), ...headers },
        redirect: 'manual',
      }),
    post: (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'x-network': randomUUID(), ...headers },
        body: new URLSearchParams(form),
        redirect: 'manual',
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await store.close()
      await database.drop()
      await directory.remove()
    },
  }

  /** What is open, without lines: as if every invoice came before `from`. */
  async function statementParts(
    merchantId: string,
    clientId: string,
    { asOf }: { readonly asOf: string },
  ): Promise<StatementResponse['parts']> {
    const read = await receivables.listedReceivables(
      parseUserId(merchantId),
      owned.get(clientId) ?? [],
    )
    const open = read.filter(({ state }) => openOf(state) > 0)
    const currencies = [...new Set(open.map(({ state }) => state.currency))]
    return currencies.map((currency) => {
      const own = open.filter(({ state }) => state.currency === currency)
      const closing = own.reduce((sum, { state }) => sum + openOf(state), 0)
      return {
        currency,
        opening: closing,
        lines: [],
        closing,
        overdue: 0,
        openInvoices: own.map(({ state }) => ({
          receivableId: state.receivableId,
          number: state.number,
          reference: state.details.reference,
          issueDate: state.details.issueDate,
          dueDate: state.details.dueDate,
          daysOverdue: Math.max(0, daysOverdueOf(state.details.dueDate, asOf)),
          amount: state.details.amount,
          open: openOf(state),
        })),
      }
    })
  }
}

export type PortalSide = Awaited<ReturnType<typeof startPortalSide>>
