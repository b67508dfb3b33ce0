import { mkdir, chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { paymentsResponse } from '#contracts/purchases'
import { makePerson } from '../billing/demo/person.ts'
import { createRandom } from '../billing/demo/random.ts'
import { seededRandom } from '../billing/demo/seeded-random.ts'
import { createVisitor, networkAddress, type Visitor } from '../billing/demo/visitor.ts'
import { checkMetrics } from './check-metrics.ts'
import { checkProxyLog } from './check-proxy-log.ts'
import { killOnce, tableOf, untilHealthy, type Kill } from './kill-containers.ts'
import { readCode } from './mails.ts'
import { countResults, isSuccess, read, startTraffic, write } from './traffic.ts'
import type { World } from './world.ts'

const services = [
  'proxy',
  'api',
  'projector',
  'reactor',
  'sandbox',
  'mail-inbox',
  'postgres',
  'eventstoredb',
] as const

const waitSeconds = '300'
const street = '7 Last Street'

/**
 * Walks through the life of an installation: build, start, purchase, scale, a kill of each
 * container, `down` and `up`, backup and restore. `print` receives a line for each step, and the
 * table of the kills, also if a later step fails.
 * @throws if a step finds a fault
 */
export async function walkWorld(
  world: World,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now()
    const result = await work()
    print(`${name}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
    return result
  }
  const up = () => world.compose('up', '--detach', '--wait', '--wait-timeout', waitSeconds)
  const billing = (...args: readonly string[]) =>
    world.compose('exec', '-T', 'projector', 'node', 'dist/scripts/billing.js', ...args)
  const backups = join(world.directory, 'backups')
  const container = ['run', '--rm', '--no-deps', '-v', `${backups}:/backups`, 'projector']
  const oneOff = (...args: readonly string[]) =>
    world.compose(...container, 'node', 'dist/scripts/billing.js', ...args)

  await step('build', () => world.compose('build', '--quiet'))
  await step('up, until every container is healthy', up)
  const customerOf = (index: number) => newCustomer(world, signal, index)
  const first = customerOf(0)
  await step('sign-up, checkout and purchase through the proxy', () => buy(world, first))
  const second = customerOf(1)
  await buy(world, second)
  const both = [first, second]

  const traffic = startTraffic(world.url, both)
  const kills: Kill[] = []
  try {
    await traffic.recovered(30_000)
    world.replicas = 2
    const from = traffic.outcomes.length
    await step('scale api and projector to two', () =>
      world.compose('up', '--detach', '--no-recreate', '--wait', '--wait-timeout', waitSeconds),
    )
    const failed = traffic.outcomes.slice(from).filter((outcome) => !isSuccess(outcome))
    if (failed.length > 0)
      throw new Error(`Requests failed while the services scaled: ${countResults(failed)}.`)
    await step('metrics, read from another container', () => checkMetrics(world))
    for (const service of services)
      kills.push(
        await step(`kill of ${service}, until the recovery`, () =>
          killOnce(world, traffic, service),
        ),
      )
  } finally {
    await traffic.stop()
    print(`\n${tableOf(kills)}\n`)
  }

  await step('log of the proxy', () => checkProxyLog(world, first))
  for (const api of await world.containersOf('api')) await untilHealthy(world, api)
  await step('purchase after the kills', () => buy(world, customerOf(2)))
  await keepStreet(world, both)

  await step('down', () => world.compose('down'))
  await step('up', up)
  await checkData(world, both, 'after down and up')

  await mkdir(backups)
  // The container writes as user 1000. The parent directory keeps other users out.
  await chmod(backups, 0o777)
  await step('backup', () => oneOff('backup', '/backups/one'))
  await world.compose('down', '--volumes')
  await world.compose('up', '--detach', '--wait', 'postgres', 'eventstoredb')
  await step('restore into new volumes', () => oneOff('restore', '/backups/one'))
  await step('up', up)
  await checkData(world, both, 'after the restore')
  await step('events verify', () => billing('events', 'verify'))
  await step('projections verify', () => billing('projections', 'verify'))
}

function newCustomer(world: World, signal: AbortSignal, index: number): Visitor {
  const person = makePerson(index, createRandom(seededRandom(index)))
  const places = {
    productUrl: world.url,
    sandboxUrl: world.sandboxUrl,
    signal,
    readCode: (email: string) => readCode(world.inboxUrl, email),
  }
  return createVisitor(places, person, networkAddress(index))
}

async function buy(world: World, customer: Visitor): Promise<void> {
  await customer.signUp(true)
  await customer.pay('visa', false)
  await untilShown(world, customer)
}

/** Waits until the customer's page shows one payment. */
async function untilShown(world: World, customer: Visitor): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    const answer = await read(world.url, customer)
    const text = await answer.text()
    const count = answer.ok ? paymentsResponse.parse(JSON.parse(text)).payments.length : null
    if (count === 1) return
    if ((count ?? 0) > 1) throw new Error(`One purchase is shown ${count} times.`)
    if (performance.now() > until)
      throw new Error(`No purchase is shown after 60 s: ${answer.status} ${text}`)
    await sleep(100)
  }
}

async function keepStreet(world: World, customers: readonly Visitor[]): Promise<void> {
  for (const customer of customers) {
    const answer = await write(world.url, customer, street)
    if (!answer.ok) throw new Error(`A change of a profile was answered ${answer.status}.`)
  }
}

/** Checks that what was confirmed is still there, also the session. */
async function checkData(world: World, customers: readonly Visitor[], when: string): Promise<void> {
  for (const customer of customers) {
    await untilShown(world, customer)
    const answer = await fetch(`${world.url}/api/profile`, {
      headers: { 'x-requested-with': 'fetch', cookie: customer.cookieHeader() },
    })
    const text = await answer.text()
    if (!text.includes(street))
      throw new Error(`The profile ${when} lacks the last change: ${answer.status} ${text}`)
  }
}
