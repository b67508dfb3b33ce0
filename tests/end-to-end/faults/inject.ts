import { setTimeout as sleep } from 'node:timers/promises'
import { schemaOf } from '#projections/engine/read-model'
import { purchases } from '#projections/purchases/read-model'
import { users } from '#projections/users/read-model'
import { refuseWrites } from '../../support/postgres/refuse-writes.ts'
import type { Fault, WrittenTable } from './fault.ts'
import type { World } from './world.ts'

/** Faults of one part follow one another. Faults of different parts overlap. */
export function partOf(fault: Fault): string {
  switch (fault.kind) {
    case 'kill-product':
    case 'freeze-product':
    case 'jump-clock':
      return `product ${fault.process}`
    case 'cut-customers':
      return 'link of the customers'
    case 'kill-database':
    case 'fill-disk':
      return 'database'
    case 'refuse-writes':
      return fault.table
    case 'cut-database':
    case 'freeze-database':
      return 'link to the database'
    case 'kill-provider':
    case 'freeze-provider':
      return 'provider'
    case 'fail-provider-calls':
      return 'calls of the provider'
    case 'disturb-webhooks':
      return 'webhooks'
    case 'refuse-mails':
    case 'cut-mails':
      return 'link to the mail server'
    default:
      return fault satisfies never
  }
}

/** Starts faults. Each promise resolves when the fault has ended and the part works again. */
export function createInjector(world: World): (fault: Fault) => Promise<void> {
  const atProvider: { errorRate?: number; webhooks?: object } = {}
  const setAtProvider = async (changed: typeof atProvider) => {
    Object.assign(atProvider, changed)
    await postToProvider(world, '/faults', atProvider)
  }

  return async (fault) => {
    switch (fault.kind) {
      case 'kill-product':
        return world.products[fault.process]?.kill('SIGKILL')
      case 'freeze-product': {
        const product = world.products[fault.process]
        product?.kill('SIGSTOP')
        await sleep(fault.forMs)
        return product?.kill('SIGCONT')
      }
      case 'cut-customers':
        world.front.set('cut')
        return world.front.set('open')
      case 'kill-database':
        await world.killDatabase()
        return untilAnswered(world, 'SELECT 1')
      case 'cut-database':
        return linked(world.database, 'cut', fault.forMs)
      case 'freeze-database':
        return linked(world.database, 'frozen', fault.forMs)
      case 'fill-disk':
        return fillDisk(world, fault.forMs)
      case 'refuse-writes':
        return refuse(world, fault.table, fault.forMs)
      case 'kill-provider':
        world.provider.kill('SIGKILL')
        return world.provider.ready()
      case 'freeze-provider':
        world.provider.kill('SIGSTOP')
        await sleep(fault.forMs)
        return world.provider.kill('SIGCONT')
      case 'fail-provider-calls':
        await setAtProvider({ errorRate: fault.rate })
        await sleep(fault.forMs)
        return setAtProvider({ errorRate: 0 })
      case 'disturb-webhooks': {
        const { duplicate, reorder, drop } = fault
        await setAtProvider({ webhooks: { duplicate, reorder, drop } })
        await sleep(fault.forMs)
        return setAtProvider({ webhooks: {} })
      }
      case 'refuse-mails':
        return linked(
          world.mails,
          { answer: '421 4.3.2 Too busy. Try again later.\r\n' },
          fault.forMs,
        )
      case 'cut-mails':
        return linked(world.mails, 'cut', fault.forMs)
      case 'jump-clock':
        world.jump(fault.process, fault.minutes)
        await sleep(fault.forMs)
        return world.jump(fault.process, 0)
      default:
        return fault satisfies never
    }
  }
}

async function linked(
  link: World['database'],
  state: Parameters<World['database']['set']>[0],
  forMs: number,
): Promise<void> {
  link.set(state)
  await sleep(forMs)
  link.set('open')
}

/** Without a file system that can be filled: the error of a full disk, for every new event. */
async function fillDisk(world: World, forMs: number): Promise<void> {
  const { disk } = world
  if ('whyNot' in disk) return refuse(world, 'log.event', forMs)
  disk.fill()
  await sleep(forMs)
  disk.free()
  // A server that could not extend its write-ahead log ends itself, and starts again.
  return untilAnswered(world, 'SELECT 1')
}

/** While the database is away, no write needs to be refused. */
async function refuse(world: World, table: WrittenTable, forMs: number): Promise<void> {
  const allow = await refuseWrites(world.pool, 'INSERT OR UPDATE', tableNamed(table)).catch(
    () => null,
  )
  await sleep(forMs)
  if (allow !== null) await repeated(allow)
}

function tableNamed(table: WrittenTable): string {
  return table
    .replace(/^users\./, `${schemaOf(users)}.`)
    .replace(/^purchases\./, `${schemaOf(purchases)}.`)
}

/** Repeats the call while the provider is away. */
export async function postToProvider(world: World, path: string, body: object): Promise<void> {
  return repeated(async () => {
    const answer = await fetch(`${world.sandboxUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    await answer.body?.cancel()
  })
}

const untilAnswered = ({ pool }: World, statement: string) =>
  repeated(async () => void (await pool.query(statement)))

/** A program that was killed starts within this time, also on a busy machine. */
const longestStartMs = 120_000

/** @throws the last failure of `call` */
async function repeated<Result>(call: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + longestStartMs
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (performance.now() > deadline) throw error
    }
    await sleep(200)
  }
}
