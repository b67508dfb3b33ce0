import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  parseClientId,
  parseReceivableId,
  parseUserId,
  type ImportId,
  type UserId,
} from '#contracts/ids'
import type { SentRow } from '#contracts/receivables/imports'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { clientStream, receivableStream } from '#services/foundation/stream-names'
import {
  createImports,
  type Imports,
  type ImportsParts,
} from '#services/receivables/import/imports'
import { undoImport } from '#services/receivables/import/undo-import'
import { parseTimeZone } from '#services/finance/time-zone'
import { receivableDecider } from '#services/receivables/receivable-decider'
import { openOf } from '#services/receivables/receivable-state'
import { testContext } from '../../support/data/test-context.ts'
import { crashingStore } from '../../support/event-store/crashing-store.ts'
import { fixedKeys } from '../../support/event-store/fixed-keys.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { Killed } from '../../support/postgres/crashing-pool.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'

/*
 * Imports whose processes are killed between any two steps, and whose rows arrive in any parts and
 * order, twice or at the same time. No read model runs: clients are found by their streams.
 */

const clock = { now: () => new Date('2026-11-27T15:00:00.000Z') }
const today = day('2026-11-27')
const keys = fixedKeys({})
const codec = createCodec(keys)
const file = { name: 'open-invoices.csv', size: 1_024, sha256: 'a'.repeat(64) }

let database: TestDatabase
let store: EventStore
beforeAll(async () => {
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
})
afterAll(async () => {
  await store.close()
  await database.drop()
})

const timeZone = parseTimeZone('America/New_York')

/** A process of the product on a store. */
function processOn(
  on: EventStore,
  openInvoices: ImportsParts['openInvoices'] = async () => [],
): {
  readonly imports: Imports
  readonly commands: ReturnType<typeof createCommandHandler>
} {
  if (timeZone === null) throw new Error('The time zone is unknown.')
  const commands = createCommandHandler({ store: on, codec, clock, macKey })
  const imports = createImports({
    commands,
    keys,
    clock,
    receivables: { calendarOf: async () => ({ timeZone, today }) },
    isErased: async () => false,
    clientsLike: async () => [],
    knownAmong: async () => new Map(),
    openInvoices,
    clientsWithOthers: async () => new Set(),
  })
  return { imports, commands }
}

const row = (index: number): SentRow => ({
  row: index + 2,
  number: `AD-${index}`,
  client: {
    name: `Client ${index % 4}`,
    number: null,
    email: null,
    phone: '503-555-0142',
    state: null,
    timeZone: null,
  },
  issueDate: '2026-10-14',
  dueDate: '2026-11-13',
  amount: 10_000 + index,
  openAmount: index % 3 === 0 ? 4_000 : null,
  currency: 'usd',
  reference: null,
  url: null,
  textConsent: index % 5 === 0 ? { source: 'Form', date: '2026-01-05' } : null,
  clientChoice: null,
  confirmsReversal: false,
})

const newMerchant = (): UserId => parseUserId(`usr_${randomUUID().replaceAll('-', '')}`)

/** What the log has of a merchant's clients and receivables, apart from ids and times. */
async function recordedOf(merchantId: UserId): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ type: string; facts: string }>(
    `SELECT type, concat_ws(' ', data->>'number', data->>'currency', data->>'applied', data->'details'->>'amount',
       data->>'date', data->'details'->>'dueDate') AS facts
     FROM log.event WHERE data->>'merchantId' = $1 AND (stream LIKE 'client-%' OR stream LIKE 'receivable-%')`,
    [merchantId],
  )
  return rows.map(({ type, facts }) => `${type} ${facts}`).toSorted()
}

async function start(merchantId: UserId, rows: number): Promise<ImportId> {
  const { importId } = await processOn(store).imports.start(merchantId, file, rows, testContext())
  return importId
}

/** Sends the rows in these parts, killed at this append. */
async function sendKilled(
  merchantId: UserId,
  importId: ImportId,
  rows: readonly SentRow[],
  steps: number,
  moment: 'before' | 'after',
): Promise<boolean> {
  const { imports } = processOn(crashingStore(store, steps, moment))
  try {
    await imports.store(merchantId, importId, rows, testContext())
    return false
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
}

/** Undoes an import to its end, as the request and the reactor do. */
async function undo(merchantId: UserId, importId: ImportId): Promise<void> {
  const { imports, commands } = processOn(store)
  await imports.startUndo(merchantId, importId, testContext())
  const parts = { commands, clock, clientsWithOthers: async () => new Set<string>() }
  await undoImport(parts, importId, testContext())
}

/** The merchant's receivables that were not withdrawn, and its clients that were not erased. */
async function leftOf(merchantId: UserId): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ stream: string; type: string }>(
    `SELECT DISTINCT ON (stream) stream, type FROM log.event
     WHERE data->>'merchantId' = $1 AND (stream LIKE 'client-%' OR stream LIKE 'receivable-%')
     ORDER BY stream, revision DESC`,
    [merchantId],
  )
  return rows
    .filter(({ type }) => type !== 'ReceivableWithdrawn' && type !== 'ClientErased')
    .map(({ stream }) => stream)
}

/** A view of `store` for a process in which `interrupt` runs before its n-th append. */
function interruptedStore(
  on: EventStore,
  append: number,
  interrupt: () => Promise<void>,
): EventStore {
  let count = 0
  return {
    ...on,
    async append(...given) {
      count += 1
      if (count === append) await interrupt()
      return on.append(...given)
    },
  }
}

describe('an import', () => {
  it('records the same in any parts and order, repeated, at the same time and after kills', async () => {
    const all = Array.from({ length: 12 }, (_, index) => row(index))
    const whole = newMerchant()
    await processOn(store).imports.store(whole, await start(whole, all.length), all, testContext())
    const expected = await recordedOf(whole)
    expect(expected).toHaveLength(12 + 4 + 4 + 3)

    const parts = fc.array(
      fc.record({
        rows: fc.shuffledSubarray(all, { minLength: 1 }),
        /** The append at which the process is killed. */
        steps: fc.integer({ min: 1, max: 24 }),
        moment: fc.constantFrom('before' as const, 'after' as const),
        together: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    )
    await fc.assert(
      fc.asyncProperty(parts, async (sent) => {
        const merchantId = newMerchant()
        const importId = await start(merchantId, all.length)
        let running: Promise<unknown>[] = []
        for (const { rows, steps, moment, together } of sent) {
          running.push(sendKilled(merchantId, importId, rows, steps, moment))
          if (together) continue
          await Promise.all(running)
          running = []
        }
        await Promise.all(running)
        const done = await processOn(store).imports.store(merchantId, importId, all, testContext())
        if (done.kind === 'refused') throw new Error(done.refusal.kind)
        expect(new Set(done.results.map(({ outcome }) => outcome))).toEqual(new Set(['added']))
        expect(await recordedOf(merchantId)).toEqual(expected)
      }),
      { numRuns: 24 },
    )
  }, 120_000)

  it('is undone, whichever step of the undo is killed', async () => {
    const all = [row(0), row(1), row(4)]
    const merchantId = newMerchant()
    const importId = await start(merchantId, all.length)
    const { imports, commands } = processOn(store)
    const done = await imports.store(merchantId, importId, all, testContext())
    if (done.kind === 'refused') throw new Error(done.refusal.kind)
    await imports.startUndo(merchantId, importId, testContext())
    const parts = { clock, clientsWithOthers: async () => new Set<string>() }
    let kills = 0
    for (let steps = 1; ; steps += 1) {
      const moment = steps % 2 === 0 ? 'before' : 'after'
      try {
        const killed = processOn(crashingStore(store, steps, moment))
        await undoImport({ ...parts, commands: killed.commands }, importId, testContext())
        break
      } catch (error) {
        if (!(error instanceof Killed)) throw error
        kills += 1
      }
    }
    expect(kills).toBeGreaterThan(2)
    expect((await imports.find(merchantId, importId))?.standing).toBe('undone')
    for (const { receivableId, clientId } of done.results) {
      const receivable = await commands.load({
        decider: receivableDecider,
        stream: receivableStream(parseReceivableId(receivableId ?? '')),
      })
      expect(receivable.state.kind).toBe('none')
      const events = await store.readStream(clientStream(parseClientId(clientId ?? '')))
      expect(events.map(({ type }) => type).slice(-2)).toEqual(['ClientWithdrawn', 'ClientErased'])
    }
    expect(
      (await recordedOf(merchantId)).filter((each) => each.startsWith('ReceivableWithdrawn')),
    ).toHaveLength(3)
  }, 60_000)

  it('leaves nothing of rows that are being stored when the undo begins', async () => {
    const all = [row(0), row(1), row(4)]
    let isInTheMiddle = true
    for (let steps = 2; isInTheMiddle; steps += 1) {
      const merchantId = newMerchant()
      const importId = await start(merchantId, all.length)
      isInTheMiddle = false
      const slow = processOn(
        interruptedStore(store, steps, async () => {
          isInTheMiddle = true
          await undo(merchantId, importId)
        }),
      )
      const done = await slow.imports.store(merchantId, importId, all, testContext())
      if (!isInTheMiddle) continue
      expect(done).toEqual({ kind: 'refused', refusal: { kind: 'import-over' } })
      expect(await leftOf(merchantId)).toEqual([])
    }
  }, 60_000)

  it('stores no row that was begun before the undo, and takes back what a kill left', async () => {
    const all = [row(0), row(1), row(4)]
    let wasKilled = true
    for (let steps = 2; wasKilled; steps += 1) {
      const merchantId = newMerchant()
      const importId = await start(merchantId, all.length)
      wasKilled = await sendKilled(merchantId, importId, all, steps, 'before')
      await undo(merchantId, importId)
      const { imports } = processOn(store)
      const again = await imports.store(merchantId, importId, all, testContext())
      if (wasKilled) expect(again).toEqual({ kind: 'refused', refusal: { kind: 'import-over' } })
      expect(await leftOf(merchantId)).toEqual([])
    }
  }, 60_000)

  it('pays nothing with a complete file whose import is undone meanwhile', async () => {
    let isInTheMiddle = true
    for (let steps = 1; isInTheMiddle; steps += 1) {
      const merchantId = newMerchant()
      const known = await processOn(store).imports.store(
        merchantId,
        await start(merchantId, 2),
        [row(0), row(1)],
        testContext(),
      )
      if (known.kind === 'refused') throw new Error(known.refusal.kind)
      const open = known.results.map(({ receivableId, number }, index) => ({
        receivableId: parseReceivableId(receivableId ?? ''),
        number,
        clientName: '',
        dueDate: '2026-11-13',
        open: index === 0 ? 4_000 : 10_001,
        currency: 'usd',
      }))
      const importId = await start(merchantId, 1)
      await processOn(store).imports.store(merchantId, importId, [row(9)], testContext())
      isInTheMiddle = false
      const slow = processOn(
        interruptedStore(store, steps, async () => {
          isInTheMiddle = true
          await undo(merchantId, importId)
        }),
        async () => open,
      )
      const request = { isComplete: true, keepNumbers: [] }
      const done = await slow.imports.finish(merchantId, importId, request, testContext())
      expect(done.kind).toBe(isInTheMiddle ? 'refused' : 'done')
      if (!isInTheMiddle) continue
      const { commands } = processOn(store)
      for (const { receivableId, open: before } of open) {
        const stream = receivableStream(receivableId)
        const { state } = await commands.load({ decider: receivableDecider, stream })
        expect(state.kind === 'added' && openOf(state)).toBe(before)
      }
    }
  }, 60_000)

  it('refuses a row that was begun with another invoice number', async () => {
    const merchantId = newMerchant()
    const importId = await start(merchantId, 2)
    expect(await sendKilled(merchantId, importId, [row(0), row(1)], 2, 'before')).toBe(true)
    const other = { ...row(0), number: 'AD-9', client: { ...row(0).client, name: 'Another' } }
    const { imports } = processOn(store)
    expect(await imports.store(merchantId, importId, [other, row(1)], testContext())).toEqual({
      kind: 'refused',
      refusal: { kind: 'row-differs', row: 2 },
    })
    expect(await recordedOf(merchantId)).toEqual([])
    const same = await imports.store(merchantId, importId, [row(0), row(1)], testContext())
    expect(same).toMatchObject({ kind: 'done' })
  })

  it('records an estimated payment once, also if its row is repeated after a kill', async () => {
    const merchantId = newMerchant()
    for (let steps = 1, killed = true; killed; steps += 1) {
      const importId = await start(merchantId, 1)
      const rows = [{ ...row(0), number: `N-${steps}` }]
      killed = await sendKilled(merchantId, importId, rows, steps, 'after')
      const { imports, commands } = processOn(store)
      const done = await imports.store(merchantId, importId, rows, testContext())
      if (done.kind === 'refused') throw new Error(done.refusal.kind)
      const { state } = await commands.load({
        decider: receivableDecider,
        stream: receivableStream(parseReceivableId(done.results[0]?.receivableId ?? '')),
      })
      expect(state.kind === 'added' && [openOf(state), state.payments.size]).toEqual([4_000, 1])
    }
  }, 60_000)
})
