import { isDeepStrictEqual } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AppSide } from '../../../support/product/app-side.ts'
import type { Answer } from '../../../support/product/client.ts'
import type { Fault } from '../../../support/product/fault-point.ts'
import { observe, type Observed } from './observe.ts'
import type { PreparedCall } from './prepared-call.ts'

export type Prepare = (side: AppSide) => Promise<PreparedCall>

/** `mayMiss`: some calls have no operation of these parts. */
export type Walked = Fault & { readonly mayMiss?: true }

/** A connection that broke is noticed after a moment. A page waits 2 s (`Retry-After`). */
const seenAfterMs = 60
const maxOperations = 400

/** What the call does without a fault. A test's session does not wait for the read models. */
export async function undisturbed(side: AppSide, prepare: Prepare): Promise<Observed> {
  const call = await prepare(side)
  await side.projected()
  const since = await side.lastPosition()
  return observe(side, call, since, await call.send())
}

/**
 * Runs the call with a fault at its first operation, at its second, and so on, until it passes
 * without meeting the fault. After 503 the call is repeated. Returns one line for each difference
 * to the undisturbed call.
 */
export async function walk(
  side: AppSide,
  prepare: Prepare,
  fault: Walked,
  expected: Observed,
): Promise<readonly string[]> {
  const problems: string[] = []
  for (let operation = 1; operation <= maxOperations; operation += 1) {
    const call = await prepare(side)
    await side.projected()
    const since = await side.lastPosition()
    side.fault.arm(fault, operation)
    const first = await call.send().catch(brokenOff)
    const isMet = side.fault.hasStruck()
    side.fault.heal()
    if (!isMet)
      return operation > 1 || fault.mayMiss === true
        ? problems
        : ['The call has no operation that can fail.']
    await sleep(seenAfterMs)
    const where = `${fault.parts.join('+')} fails ${fault.moment} operation ${operation}${fault.lasts ? ' and later' : ''}`
    const isRefused = first.status === 503 || first.status === 0
    const last = isRefused ? await repeated(call) : first
    if (isRefused && last.status === call.alsoComplete) continue
    const found = await observe(side, call, since, last)
    const isNoted = isRefused || found.events.length > 0 || call.mayMissEvents !== true
    if (!isDeepStrictEqual(found, isNoted ? expected : { ...expected, events: [] }))
      problems.push(
        `${where}: answered ${first.status}${isRefused ? `, then ${last.status} ${JSON.stringify(last.body)}` : ''}. ${differences(found, expected)}`,
      )
  }
  throw new Error(`The call has more than ${maxOperations} operations.`)
}

/** An answer that broke off is a failed download: the browser offers to try again. */
function brokenOff(): Answer {
  return { status: 0, headers: new Headers(), body: null }
}

async function repeated(call: PreparedCall): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await call.send()
    if (answer.status !== 503 || attempt === 3) return answer
    await sleep(seenAfterMs)
  }
}

function differences(found: Observed, expected: Observed): string {
  return (['answer', 'events', 'mails', 'world'] as const)
    .filter((part) => !isDeepStrictEqual(found[part], expected[part]))
    .map(
      (part) =>
        `${part}: ${JSON.stringify(found[part])} instead of ${JSON.stringify(expected[part])}`,
    )
    .join('; ')
}
