import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../../scripts/billing/demo/random.ts'
import { seededRandom } from '../../../scripts/billing/demo/seeded-random.ts'
import { errorMessage } from '#services/foundation/error-message'
import { countEvents } from './compare-facts.ts'
import { compare } from './compare.ts'
import { createCustomer, type Customer } from './customer.ts'
import { planFaults, type FaultKind, type PlannedFault } from './fault.ts'
import { createInjector, partOf, postToProvider } from './inject.ts'
import { endFaults, settle } from './settle.ts'
import type { Tally } from './confirmed.ts'
import { startWorld, type World } from './world.ts'

export interface FaultRun {
  readonly seed: number
  /** The number of faults of all sections. */
  readonly faults: number
  /** How many customers click at the same time. */
  readonly customers: number
  readonly processes: number
  /** The part of the faults that this run injects, in a world of its own. Default: all of them. */
  readonly section?: Section
  /** Called after each fault, with the number of faults so far. */
  readonly onFault?: (done: number, state: RunState) => void
  /** Called when a problem occurs. The run continues. */
  readonly onProblem?: (problem: string) => void
  /** Called when a phase of the run begins. */
  readonly onPhase?: (phase: string) => void
  /** Ends the faults early. The comparison follows. */
  readonly signal?: AbortSignal
}

/** The `number`-th, from 1, of `of` equal parts. */
export interface Section {
  readonly number: number
  readonly of: number
}

interface RunState extends Readonly<Pick<Tally, 'clicks' | 'refused' | 'broken'>> {
  /** The memory of each process of the product, in MB. */
  readonly memory: readonly number[]
}

export interface FaultReport extends RunState {
  readonly problems: readonly string[]
  readonly injected: ReadonlyMap<FaultKind, number>
  /** How many customers came. */
  readonly customers: number
  /** The number of events of each type in the log. */
  readonly events: ReadonlyMap<string, number>
  /** What the programs logged, and how often. */
  readonly logged: readonly (readonly [message: string, count: number])[]
  /** Why the disk was not really full; null if it was. */
  readonly whyNoDisk: string | null
  /** Of the run until the end of the faults. */
  readonly faultSeconds: number
  /** The part of them in which the next fault waited for a fault of the same part to end. */
  readonly partSeconds: number
  /** The part of them in which the next fault waited for a process of the product to answer. */
  readonly servedSeconds: number
  /** With the start and the comparison. */
  readonly seconds: number
}

/** The sandbox's clock moves by a month during a run, in these steps. */
const clockSteps = 124
const stepOfClock = 'PT6H'
/** A customer leaves after so many steps, so that the streams do not grow with the run. */
const stepsOfCustomer = { from: 60, to: 180 }
/** A process of the product that needs more has a leak. MB. */
const maxMemory = 900

/** The faults of a run in their order. The same arguments give the same faults. */
export function faultsOf({
  seed,
  faults,
  processes,
  section = { number: 1, of: 1 },
}: Pick<FaultRun, 'seed' | 'faults' | 'processes' | 'section'>): readonly PlannedFault[] {
  const from = (part: number) => Math.floor((part / section.of) * faults)
  return planFaults(faults, processes, randomOf(seed, 0)).slice(
    from(section.number - 1),
    from(section.number),
  )
}

/** The command that repeats a run. */
export function repeatCommand(run: FaultRun): string {
  const { section } = run
  const part = section === undefined ? '' : ` --section ${section.number}/${section.of}`
  return `npm run test:faults -- --seed ${run.seed} --faults ${run.faults} --customers ${run.customers} --processes ${run.processes}${part}`
}

/**
 * Runs the product for a month of the sandbox's clock, with customers who click and faults that are
 * planned from `seed`. Then ends all faults and compares the product with what it confirmed to its
 * customers, with the provider and with its log. The same seed gives the same faults and the same
 * choices of the customers; which request a fault meets depends on the machine.
 */
export async function runFaults(run: FaultRun): Promise<FaultReport> {
  const began = performance.now()
  const record = createTally(run.onProblem)
  const world = await startWorld(run.processes, (lines) =>
    record.report(`A program printed an error that it did not handle:\n${lines}`),
  )
  const injected = new Map<FaultKind, number>()
  const waits = { partMs: 0, servedMs: 0 }
  const came: Customer[] = []
  const state = (): RunState => ({
    clicks: record.clicks,
    refused: record.refused,
    broken: record.broken,
    memory: world.products.map((product) => product.memory()),
  })
  try {
    const stop = new AbortController()
    const clicking = Array.from({ length: run.customers }, (_, seat) =>
      serveSeat(seat, run, world, record, came, stop.signal),
    )
    run.onPhase?.('The first customers sign in.')
    await untilSignedIn(run.customers, came)
    run.onPhase?.('The faults begin.')
    const faultsBegan = performance.now()
    await reported(record, () => injectAll(run, world, record, injected, waits, state))
    const faultSeconds = (performance.now() - faultsBegan) / 1_000
    run.onPhase?.('The faults end, and the product recovers.')
    stop.abort()
    await Promise.all(clicking)
    await reported(record, () => endFaults(world))
    await reported(record, () => buyAtTheEnd(came.slice(-run.customers), record))
    run.onPhase?.('The product catches up.')
    await reported(record, () => settle(world))
    run.onPhase?.('The end is compared.')
    await reported(record, async () => {
      for await (const problem of compare(
        world,
        came.map(({ confirmed }) => confirmed),
      ))
        record.report(problem)
    })
    return {
      ...state(),
      problems: record.problems,
      injected,
      customers: came.length,
      events: await countEvents(world),
      logged: world.output.counts(),
      whyNoDisk: 'whyNot' in world.disk ? world.disk.whyNot : null,
      faultSeconds,
      partSeconds: waits.partMs / 1_000,
      servedSeconds: waits.servedMs / 1_000,
      seconds: (performance.now() - began) / 1_000,
    }
  } finally {
    if (record.problems.length > 0) process.stderr.write(`${world.output.tail()}\n`)
    await world.close()
  }
}

function createTally(onProblem: FaultRun['onProblem']): Tally {
  const problems: string[] = []
  return {
    clicks: 0,
    refused: 0,
    broken: 0,
    problems,
    report(problem) {
      problems.push(problem)
      onProblem?.(problem)
    },
  }
}

/** A failure of the run itself is a problem, too: the rest of the run still finds others. */
async function reported(record: Tally, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => record.report(errorMessage(error)))
}

/** One customer after the other, until the signal. */
async function serveSeat(
  seat: number,
  run: FaultRun,
  world: World,
  record: Tally,
  came: Customer[],
  signal: AbortSignal,
): Promise<void> {
  const section = run.section?.number ?? 1
  for (let turn = 0; !signal.aborted; turn += 1) {
    const index = turn * run.customers + seat
    const random = randomOf(run.seed, section * 1_000_000 + index + 1)
    const customer = createCustomer(index, world, record, random)
    came.push(customer)
    const steps = random.between(stepsOfCustomer.from, stepsOfCustomer.to)
    for (let step = 0; step < steps && !signal.aborted; step += 1) await customer.act()
  }
}

/** Faults begin when the first customers are signed in, or after 60 s. */
async function untilSignedIn(seats: number, came: readonly Customer[]): Promise<void> {
  const deadline = performance.now() + 60_000
  while (came.slice(0, seats).some(({ confirmed }) => !confirmed.isSignedIn)) {
    if (performance.now() > deadline) return
    await sleep(100)
  }
}

/** After the faults, a customer who is signed in and has no plan can buy one. */
async function buyAtTheEnd(customers: readonly Customer[], record: Tally): Promise<void> {
  for (const { confirmed, buyAtTheEnd: buy } of customers) {
    const refusal = await buy()
    if (refusal !== null)
      record.report(
        `${confirmed.email} could not buy after the faults had ended. The last refusal: ${refusal}`,
      )
  }
}

async function injectAll(
  run: FaultRun,
  world: World,
  record: Tally,
  injected: Map<FaultKind, number>,
  waits: { partMs: number; servedMs: number },
  state: () => RunState,
): Promise<void> {
  const planned = faultsOf(run)
  const inject = createInjector(world)
  const busy = new Map<string, Promise<void>>()
  let steps = 0
  for (const [index, { fault, afterMs }] of planned.entries()) {
    if (run.signal?.aborted === true) break
    await sleep(afterMs)
    const part = partOf(fault)
    const freeFrom = performance.now()
    await busy.get(part)
    const servedFrom = performance.now()
    waits.partMs += servedFrom - freeFrom
    // Otherwise most faults of a slow machine would meet a product that is starting.
    await untilServed(world)
    waits.servedMs += performance.now() - servedFrom
    injected.set(fault.kind, (injected.get(fault.kind) ?? 0) + 1)
    busy.set(
      part,
      reported(record, () => inject(fault)),
    )
    for (; steps < Math.floor(((index + 1) / planned.length) * clockSteps); steps += 1)
      await postToProvider(world, '/clock/advance', { by: stepOfClock })
    if (index % 50 === 0) checkMemory(world, record)
    run.onFault?.(index + 1, state())
  }
  await Promise.all(busy.values())
}

function checkMemory(world: World, record: Tally): void {
  const [process, memory = 0] =
    [...world.products.entries()]
      .map(([index, product]) => [index, product.memory()] as const)
      .find(([, used]) => used > maxMemory) ?? []
  if (memory > 0) record.report(`Process ${process} of the product uses ${memory} MB.`)
}

/** Resolves when a process of the product answers. */
async function untilServed(world: World): Promise<void> {
  const deadline = performance.now() + 180_000
  for (;;) {
    const answer = await fetch(`${world.url}/api/plans`, {
      signal: AbortSignal.timeout(5_000),
    }).catch(() => null)
    if (answer?.status === 200) return
    if (performance.now() > deadline)
      throw new Error('No process of the product answered within 180 s.')
    await sleep(50)
  }
}

const randomOf = (seed: number, part: number) =>
  createRandom(seededRandom(seed * 1_000_003 + part * 7_919))
