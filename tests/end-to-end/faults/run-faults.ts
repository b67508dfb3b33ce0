import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { compare } from './compare.ts'
import { createCustomer } from './customer.ts'
import { planFaults, type FaultKind } from './fault.ts'
import { inject, partOf, postToProvider } from './inject.ts'
import type { Tally } from './told.ts'
import { startWorld, type World } from './world.ts'

export interface FaultRun {
  readonly seed: number
  readonly faults: number
  readonly customers: number
  readonly processes: number
  /** Called after each fault, with the number of faults so far. */
  readonly onFault?: (done: number) => void
}

export interface FaultReport extends Tally {
  readonly injected: ReadonlyMap<FaultKind, number>
  readonly seconds: number
}

/** The sandbox's clock moves by a month during a run, in these steps. */
const clockSteps = 124
const stepOfClock = 'PT6H'

/**
 * Runs the product for a month of the sandbox's clock, with customers who click and faults that are
 * planned from `seed`. Then ends all faults and compares the product with what it told its
 * customers, with the provider and with its log. The same seed gives the same faults and the same
 * choices of the customers; which request a fault meets depends on the machine.
 */
export async function runFaults(run: FaultRun): Promise<FaultReport> {
  const began = performance.now()
  const world = await startWorld(run.processes)
  const record: Tally = { clicks: 0, refused: 0, broken: 0, problems: [] }
  const injected = new Map<FaultKind, number>()
  try {
    const customers = Array.from({ length: run.customers }, (_, index) =>
      createCustomer(index, world, record, randomOf(run.seed, index + 1)),
    )
    let isOver = false
    // A customer who has just come needs a code, which can be requested once in 60 s.
    for (const customer of customers) await customer.act()
    const clicking = customers.map(async (customer) => {
      while (!isOver) await customer.act()
    })
    await injectAll(run, world, injected)
    isOver = true
    await Promise.all(clicking)
    await settle(world)
    record.problems.push(
      ...(await compare(
        world,
        customers.map(({ told }) => told),
      )),
    )
    return { ...record, injected, seconds: (performance.now() - began) / 1_000 }
  } finally {
    if (record.problems.length > 0) process.stderr.write(world.output())
    await world.close()
  }
}

async function injectAll(
  run: FaultRun,
  world: World,
  injected: Map<FaultKind, number>,
): Promise<void> {
  const planned = planFaults(run.faults, run.processes, randomOf(run.seed, 0))
  const busy = new Map<string, Promise<void>>()
  let steps = 0
  for (const [index, { fault, afterMs }] of planned.entries()) {
    await sleep(afterMs)
    const part = partOf(fault)
    await busy.get(part)
    // Otherwise most faults of a slow machine would meet a product that is starting.
    await untilServed(world)
    injected.set(fault.kind, (injected.get(fault.kind) ?? 0) + 1)
    const ending = inject(fault, world)
    // The failure of an injection ends the run at the next fault of this part, or below.
    ending.catch(() => undefined)
    busy.set(part, ending)
    for (; steps < Math.floor(((index + 1) / planned.length) * clockSteps); steps += 1)
      await postToProvider(world, '/clock/advance', { by: stepOfClock })
    run.onFault?.(index + 1)
  }
  await Promise.all(busy.values())
}

/** Resolves when a process of the product answers. */
async function untilServed(world: World): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(`${world.url}/api/plans`).catch(() => null)
    if (answer?.status === 200) return
    if (attempt > 900) throw new Error('No process of the product answered within 90 s.')
    await sleep(100)
  }
}

/** Resolves when all faults have ended and the product has every fact of the provider. */
async function settle(world: World): Promise<void> {
  world.database.set('open')
  world.mails.set('open')
  world.products.forEach((_, process) => world.jump(process, 0))
  await postToProvider(world, '/faults', {})
  await world.provider.ready()
  for (const product of world.products) await product.ready()
  for (let attempt = 0; ; attempt += 1) {
    const answer = await fetch(`${world.sandboxUrl}/clock`)
    const { webhooksOwed } = (await answer.json()) as { webhooksOwed: number }
    if (webhooksOwed === 0) break
    if (attempt > 600) throw new Error(`The provider still owes ${webhooksOwed} webhooks.`)
    await sleep(200)
  }
  const { code, stdout, stderr } = await runBilling(world.settings, 'reconcile', '--all')
  if (code !== 0) throw new Error(`billing reconcile --all ended with ${code}: ${stdout}${stderr}`)
}

const randomOf = (seed: number, part: number) =>
  createRandom(seededRandom(seed * 1_000_003 + part * 7_919))
