import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { tamper } from '../../support/event-store/chained-log.ts'
import { freePort } from '../../support/machine/free-port.ts'
import { noPseudoTerminal, onPseudoTerminal } from '../../support/machine/pseudo-terminal.ts'
import { createAuditedLog, type AuditedLog } from '../../support/product/audited-log-side.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

/*
 * The sandbox is the provider of these settings and does not run, so the comparison with the
 * provider is a finding. reconciliation.full.test.ts has a sandbox, and a difference.
 */

let log: AuditedLog
let store: EventStore
let settings: Readonly<Record<string, string>> & { readonly DATA_DIR: string }
beforeEach(async () => {
  log = await createAuditedLog(4)
  settings = { ...log.settings, STRIPE_SECRET_KEY: '', SANDBOX_PORT: String(await freePort()) }
  store = createPostgresEventStore({ connectionString: log.settings['DATABASE_URL'] ?? '' })
})
afterEach(async () => {
  await store.close()
  await log.remove()
})

const close = (...args: readonly string[]) => runBilling(settings, 'close', ...args)

async function closedMonths(): Promise<number> {
  const { rowCount } = await log.pool.query(`SELECT 1 FROM log.event WHERE type = 'MonthClosed'`)
  return rowCount ?? 0
}

describe('closing a month', () => {
  it('without a terminal is refused in a sentence, and with --dry-run shows the checks', async () => {
    expect(await close('2026-06')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /the command asks before it closes 2026-06, and its input is no terminal\./,
      ) as unknown,
    })
    const dry = await close('2026-06', '--dry-run')
    expect(dry).toMatchObject({ code: 1 })
    expect(dry.stdout).toMatch(
      /^reconciliation {2}finding {2}The log was not compared with the payment provider\. /,
    )
    expect(dry.stdout).toMatch(/^controls {8}(ok {5}|finding) /m)
    expect(dry.stdout).toMatch(
      /^verification {4}ok {7}Every chain, every MAC, 2 seals and every closed month hold\.$/m,
    )
    expect(dry.stdout).toMatch(/^seal {12}ok {7}The newest seal is seal 2 of 2027-06-15T/m)
    expect(dry.stdout).toMatch(/\n2026-06 was not closed: correct what the checks found/)
    expect(await closedMonths()).toBe(2)
  }, 120_000)

  it('with a finding needs --accept, whose reason and findings the log has', async () => {
    expect(await close('2026-06', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'close it in spite of that with --accept "reason"',
      ) as unknown,
    })
    expect(await closedMonths()).toBe(2)
    expect(await close('2026-06', '--yes', '--accept', ' ')).toMatchObject({ code: 2 })

    const reason = 'The bank confirmed every payment.'
    expect(await close('2026-06', '--yes', '--accept', reason)).toMatchObject({ code: 0 })
    const [cut] = await store.readStream('close-2026-06')
    expect(cut?.data).toMatchObject({
      month: '2026-06',
      accepted: {
        reason,
        findings: expect.arrayContaining([
          expect.stringContaining('was not compared with the payment provider'),
        ]) as unknown,
      },
    })
    expect((await close('show', '2026-06')).stdout).toContain(`Reason: ${reason}`)
  }, 120_000)

  it('is refused if the log does not verify, also with --accept', async () => {
    await tamper(
      log.pool,
      `UPDATE log.event SET type = 'Changed' WHERE position = (SELECT max(position) FROM log.event WHERE stream LIKE 'account-%')`,
    )
    const run = await close('2026-06', '--yes', '--accept', 'I know better.')
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        '2026-06 was not closed: the log does not verify.',
      ) as unknown,
    })
    expect(run.stdout).toMatch(/^verification {4}refused {2}The verification found a problem\./m)
    expect(await closedMonths()).toBe(2)
  }, 60_000)

  it('needs a seal of the last 31 days', async () => {
    for (const table of ['seal', 'sealed_head']) {
      await log.pool.query(`ALTER TABLE app.${table} DISABLE TRIGGER only_grows`)
      await log.pool.query(`DELETE FROM app.${table}`)
    }
    expect((await close('2026-06', '--dry-run')).stdout).toMatch(
      /^seal {12}finding {2}The log has no seal\. Run 'billing events seal'\.$/m,
    )
  }, 60_000)
})

const onTerminal =
  noPseudoTerminal === null
    ? it
    : (name: string, _run: () => Promise<void>, _timeout: number) =>
        it.skip(`${name} [${noPseudoTerminal}]`, () => undefined)

describe('on a terminal, closing a month', () => {
  const command = () => {
    const env = Object.entries(settings).map(([name, value]) => `'${name}=${value}'`)
    return `env ${env.join(' ')} ${process.execPath} scripts/billing.mjs close 2026-06 --accept 'The provider is away.'`
  }

  onTerminal(
    'asks for the month, and closes only if the month is typed',
    async () => {
      const no = onPseudoTerminal(command())
      await no.shows('Type 2026-06 to close it: ')
      no.type('y\r')
      expect(await no.ended()).toBe(1)
      expect(no.screen()).toContain('Nothing was closed: the answer was not 2026-06.')
      expect(await closedMonths()).toBe(2)

      const ended = onPseudoTerminal(command())
      await ended.shows('Type 2026-06 to close it: ')
      ended.type('\x04')
      expect(await ended.ended()).toBe(1)

      const yes = onPseudoTerminal(command())
      await yes.shows('Type 2026-06 to close it: ')
      yes.type('2026-06\r')
      expect(await yes.ended()).toBe(0)
      expect(await closedMonths()).toBe(3)
    },
    180_000,
  )
})
