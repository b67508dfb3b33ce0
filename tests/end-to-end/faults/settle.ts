import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { oneRow } from '#services/foundation/rows'
import { mailReactorName } from '#services/notifications/reactor-names'
import { runBilling } from '../../support/product/run-billing.ts'
import { postToProvider } from './inject.ts'
import type { World } from './world.ts'

/** The longest time until the product has recovered by itself. */
const recoveryMs = 240_000

/**
 * Ends all faults and waits until all processes are ready. A process that was started while its
 * system's time was wrong reports a jump when the time is right again, and asks for a restart.
 * @throws Error if a process is not ready
 */
export async function endFaults(world: World): Promise<void> {
  for (const link of [world.front, world.database, world.mails]) link.set('open')
  world.products.forEach((_, process) => world.jump(process, 0))
  await postToProvider(world, '/faults', {})
  await world.provider.ready()
  for (const product of world.products) {
    let isRestarted = false
    await product.ready((answer) => {
      if (isRestarted || !answer.includes('restart the product')) return
      isRestarted = true
      product.kill('SIGTERM')
    })
  }
}

/**
 * Waits until the product has every fact of the provider. Does what docs/operations.md asks of an
 * operator: reconcile, and retry dead letters.
 * @throws Error if the product does not recover
 */
export async function settle(world: World): Promise<void> {
  await until(async () => {
    const answer = await fetch(`${world.sandboxUrl}/clock`)
    const { webhooksOwed } = z.object({ webhooksOwed: z.int() }).parse(await answer.json())
    return webhooksOwed === 0 ? null : `The provider still owes ${webhooksOwed} webhooks.`
  })
  await billing(world, 'reconcile', '--all')
  await untilMailed(world)
  const { rowCount } = await world.pool.query(
    'SELECT 1 FROM app.outbox WHERE dead_at IS NOT NULL AND done_at IS NULL',
  )
  if ((rowCount ?? 0) > 0) {
    await billing(world, 'notifications', 'retry', '--all')
    await untilMailed(world)
  }
  await until(async () => {
    const answer = await fetch(`${world.url}/readyz`)
    const { reasons } = z.object({ reasons: z.array(z.string()) }).parse(await answer.json())
    return reasons.length === 0 ? null : `/readyz answers ${answer.status}: ${reasons.join(' ')}`
  })
}

const waitingRow = z.object({ waiting: z.int() })

/** Skips the backoff of failed mails, which can be an hour. */
async function untilMailed({ pool }: World): Promise<void> {
  await pool.query(
    'UPDATE app.outbox SET next_attempt_at = now() WHERE done_at IS NULL AND dead_at IS NULL',
  )
  await until(async () => {
    const { waiting } = await oneRow(
      pool,
      waitingRow,
      `SELECT count(*)::int AS waiting FROM app.outbox
       WHERE reactor = $1 AND done_at IS NULL AND dead_at IS NULL`,
      [mailReactorName],
    )
    return waiting === 0 ? null : `${waiting} mails still wait in the outbox.`
  })
}

async function billing(world: World, ...args: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await runBilling(world.settings, ...args)
  if (code !== 0)
    throw new Error(`billing ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`)
}

/** Repeats `problem` until it returns null. @throws Error with its last sentence */
async function until(problem: () => Promise<string | null>): Promise<void> {
  const deadline = performance.now() + recoveryMs
  for (;;) {
    const sentence = await problem().catch((error: unknown) => String(error))
    if (sentence === null) return
    if (performance.now() > deadline) throw new Error(sentence)
    await sleep(200)
  }
}
