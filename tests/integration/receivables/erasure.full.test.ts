import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { schemaOf } from '#projections/engine/read-model'
import { readModels } from '#projections/read-models'
import { receivables as receivablesModel } from '#projections/receivables/read-model'
import { readModelReady } from '#projections/engine/operate/status'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import type { ClientId, UserId } from '#contracts/ids'
import { erasePerson } from '#services/accounts/erase-person'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { systemClock } from '#services/foundation/clock'
import { clientStream, clientSubject } from '#services/foundation/stream-names'
import { createLogos } from '#services/receivables/brand/logos'
import { createClientErasure } from '#services/receivables/erase-clients'
import { storeRows } from '#services/receivables/import/store-rows'
import { clientIdOf, receivableIdOf } from '#services/receivables/receivable-id'
import { erasedClientReactor } from '#services/receivables/erased-client-reactor'
import { createIsErased, createReceivablesSide } from '#services/start/create-receivables-side'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { Killed } from '../../support/postgres/crashing-pool.ts'
import { tablesWithText } from '../../support/postgres/tables-with-text.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { until } from '../../support/machine/until.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'

/*
 * The erasure of clients, with the steps of two processes in every order. What remains is read as a
 * process reads it that starts afterwards.
 */

let side: AuthSide
/** Each `describe` has a separate log: a reactor handles all erasures of its log. */
function startSide(): void {
  beforeAll(async () => {
    side = await startAuthSide()
    await side.startProjectors()
    for (const model of readModels)
      await until(() => readModelReady(side.pool, model), 'a read model is not built')
  }, 60_000)
  afterAll(() => side?.close())
}

type Step = () => Promise<void>

/**
 * A process of the product. It calls `step` before each event and each use of a client's key, and
 * after those of `addClient`.
 */
function process(step: Step = async () => undefined) {
  const keys = createPersonalKeys(side.pool, Buffer.alloc(32, 7), {
    subjects: createSubjectLog(side.store),
  })
  const codec = createCodec(keys)
  const before = async <T>(call: () => Promise<T>): Promise<T> => {
    await step()
    return call()
  }
  const around = async <T>(call: () => Promise<T>): Promise<T> => {
    const result = await before(call)
    await step()
    return result
  }
  const store = {
    ...side.store,
    append: (...given: Parameters<typeof side.store.append>) => {
      const append = () => side.store.append(...given)
      switch (given[2][0]?.type) {
        case 'ClientAdded':
          return around(append)
        case 'ClientErased':
        case 'MerchantErased':
        case 'PersonalDataErased':
          return before(append)
        default:
          return append()
      }
    },
  }
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  const stepped = {
    ...keys,
    createAll: (subjects: readonly string[]) => around(() => keys.createAll(subjects)),
    clientsWith: (merchantId: UserId) => before(() => keys.clientsWith(merchantId)),
    erase: (subject: string) => before(() => keys.erase(subject)),
  }
  const receivables = createReceivablesSide({ commands, keys: stepped, clock: systemClock })
  const erasure = createClientErasure({
    receivables,
    commands,
    keys: stepped,
    logos: createLogos(side.pool),
    clock: systemClock,
  })
  return {
    codec,
    receivables,
    erasure,
    importing: { commands, keys: stepped, isErased: createIsErased(commands) },
    async eraseAccount(userId: UserId) {
      await erasePerson(userId, { ...side.erasing, commands, keys }, testContext())
      await erasure.eraseMerchant(userId, testContext())
    },
    /** The keys of the person and of the last mail are not looked at. */
    runReactor: () => side.runReactors([erasedClientReactor(erasure)]),
  }
}

/** A word that only the clients have whose erasure is tested. */
const marker = `quillon${randomBytes(5).toString('hex')}`
const detailsOf = (name: string) => ({
  ...samplePayloads.ClientAdded.details,
  name: `${name} Ltd`,
  number: `${name} 7`,
  email: `${name}@postbox.example`,
  note: `A note about ${name}`,
})

let accounts = 0
async function openAccount(): Promise<UserId> {
  const email = `merchant${(accounts += 1)}@example.com`
  return (await side.accounts.findOrOpen(email, testContext())).account.userId
}

async function addClient(userId: UserId, name = marker): Promise<ClientId> {
  const done = await process().receivables.addClient(userId, detailsOf(name), testContext())
  expect(done.kind).toBe('accepted')
  return done.clientId
}

/** What a new process reads of the client, and its key. */
async function whatRemains(userId: UserId, clientId: ClientId) {
  const { codec } = process()
  const events = await codec.decodeStream(await side.store.readStream(clientStream(clientId)))
  const { rows } = await side.pool.query<{ isDestroyed: boolean }>(
    'SELECT wrapped_key IS NULL AS "isDestroyed" FROM app.personal_key WHERE subject = $1',
    [clientSubject(userId, clientId)],
  )
  return {
    types: events.map(({ type }) => type),
    text: JSON.stringify(events),
    keys: rows.map(({ isDestroyed }) => (isDestroyed ? 'destroyed' : 'kept')),
  }
}

async function expectErased(userId: UserId, clientId: ClientId): Promise<void> {
  const { types, text, keys } = await whatRemains(userId, clientId)
  // Refused before anything was written: the key encrypts nothing.
  if (types.length === 0) return
  expect(types.at(-1)).toBe('ClientErased')
  expect(keys).toEqual(['destroyed'])
  expect(text).not.toContain(marker)
}

async function expectNothingLeft(): Promise<void> {
  const position = await side.store.lastPosition()
  const { comparePositions } = side.store
  expect(
    await waitUntilProjected(side.pool, readModels, position ?? '', 20_000, comparePositions),
  ).toBe(true)
  expect(await tablesWithText(side.pool, [marker])).toEqual([])
  const { codec } = process()
  for await (const page of side.store.readAll(null))
    expect(JSON.stringify(await codec.decode(page))).not.toContain(marker)
}

function signal() {
  let give = (): void => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** Stops a process at its `step`-th step, counted from 1, until `open`. */
function gate(step: number) {
  const [reached, opened] = [signal(), signal()]
  let count = 0
  return {
    reached: reached.given,
    open: opened.give,
    count: () => count,
    async step() {
      count += 1
      if (count < step) return
      reached.give()
      await opened.given
    },
  }
}

/** How many steps a process has that no other one disturbs. */
async function countSteps() {
  const userId = await openAccount()
  const [adding, erasing] = [gate(Infinity), gate(Infinity)]
  await process(adding.step).receivables.addClient(userId, detailsOf(marker), testContext())
  await process(erasing.step).eraseAccount(userId)
  return { adding: adding.count(), erasing: erasing.count() }
}

const addOne = ({ receivables }: ReturnType<typeof process>, userId: UserId) =>
  receivables.addClient(userId, detailsOf(marker), testContext())

/** An invoice of a file, whose texts are the client's, too. */
async function importOne({ importing }: ReturnType<typeof process>, userId: UserId) {
  const clientId = clientIdOf(randomUUID())
  const { note: _note, ...client } = detailsOf(marker)
  const placed = {
    isNewClient: true,
    key: '1',
    clientId,
    receivableId: receivableIdOf(clientId, 'Q-1'),
    row: {
      number: 'Q-1',
      currency: 'usd',
      issueDate: null,
      dueDate: '2026-11-25',
      amount: 10_000,
      openAmount: null,
      reference: `Order of ${marker}`,
      url: null,
      confirmsReversal: false,
      client,
      textConsent: null,
    },
  }
  await storeRows(importing, [placed], {
    merchantId: userId,
    today: day('2026-11-25'),
    at: systemClock.now().toISOString(),
    context: testContext(),
    existing: new Set(),
  })
  return { clientId }
}

describe('a client that is added while its account is erased', () => {
  startSide()

  it.each([
    ['the first client', 'continues first', false, addOne],
    ['the first client', 'continues last', false, addOne],
    ['a further client', 'continues last', true, addOne],
    ['an imported client', 'continues last', false, importOne],
  ])(
    'is refused or erased: %s, whose process %s, at each step of both processes',
    async (_which, order, hasClient, add) => {
      const added: { readonly userId: UserId; readonly clientId: ClientId }[] = []
      const steps = await countSteps()
      expect(steps).toEqual({ adding: 4, erasing: 5 })
      for (let at = 1; at <= steps.adding + 1; at += 1)
        for (let erasedUntil = 1; erasedUntil <= steps.erasing + 1; erasedUntil += 1) {
          const userId = await openAccount()
          if (hasClient) added.push({ userId, clientId: await addClient(userId) })
          const [adding, erasing] = [gate(at), gate(erasedUntil)]
          const addition = add(process(adding.step), userId)
          await Promise.race([adding.reached, addition])
          const erasure = process(erasing.step).eraseAccount(userId)
          await Promise.race([erasing.reached, erasure])
          const finish = {
            adding: () => (adding.open(), addition),
            erasing: () => (erasing.open(), erasure),
          }
          if (order === 'continues first') await finish.adding()
          await finish.erasing()
          const { clientId } = await finish.adding()
          added.push({ userId, clientId })
        }
      for (const { userId, clientId } of added) await expectErased(userId, clientId)
    },
    60_000,
  )

  it('leaves nothing of the clients in any table, and a rebuild reads them as erased', async () => {
    await expectNothingLeft()
  }, 60_000)
})

describe('an erasure of clients that is interrupted', () => {
  startSide()

  /** A process that is killed at its `step`-th step. */
  const killedAt = (step: number) => {
    let count = 0
    return process(async () => {
      count += 1
      if (count >= step) throw new Killed('The process was killed here.')
    })
  }

  it('is completed by the reactor of another process, at each step', async () => {
    const added: { readonly userId: UserId; readonly clientId: ClientId }[] = []
    const kept = await openAccount()
    const keptClient = await addClient(kept, 'Wren')
    // From the second step on, the account is erased.
    for (let step = 2; step <= 5; step += 1) {
      const userId = await openAccount()
      added.push({ userId, clientId: await addClient(userId) })
      await expect(killedAt(step).eraseAccount(userId)).rejects.toThrow(Killed)
    }
    const userId = await openAccount()
    const [killed, untouched] = [await addClient(userId), await addClient(userId, 'Wren')]
    added.push({ userId, clientId: killed })
    // After ClientErased, and before its key is destroyed.
    await expect(killedAt(2).erasure.eraseClient(userId, killed, testContext())).rejects.toThrow(
      Killed,
    )
    expect((await whatRemains(userId, killed)).keys).toEqual(['kept'])

    process().runReactor()
    await until(async () => {
      const states = await Promise.all(added.map((each) => whatRemains(each.userId, each.clientId)))
      return states.every(({ keys }) => keys.includes('destroyed'))
    }, 'the key of an erased client remains')
    for (const each of added) await expectErased(each.userId, each.clientId)
    for (const [merchantId, clientId] of [
      [kept, keptClient],
      [userId, untouched],
    ] as const)
      expect(await whatRemains(merchantId, clientId)).toMatchObject({
        types: ['ClientAdded'],
        text: expect.stringContaining('Wren') as unknown,
        keys: ['kept'],
      })
  }, 60_000)

  it('leaves nothing of the clients in any table, and a rebuild reads them as erased', async () => {
    await expectNothingLeft()
    expect(await tablesWithText(side.pool, ['Wren Ltd'])).toContain(
      `${schemaOf(receivablesModel)}.client`,
    )
  }, 60_000)
})
