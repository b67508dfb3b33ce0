import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'

const runBilling = billingInOneProcess()

const fixture = projectionFixturePerTest()
const stream = 'billing-usr_1'
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  directory = await temporaryDirectory()
})
afterAll(() => directory.remove())

const show = (...options: readonly string[]) =>
  runBilling(
    { DATA_DIR: directory.path, DATABASE_URL: fixture.db.connectionString },
    'events',
    'show',
    stream,
    ...options,
  )

it.each([
  [
    'metadata',
    'its metadata is broken',
    () =>
      tamper(
        fixture.db.pool,
        `UPDATE log.event SET metadata = '{"actor": 7}' WHERE stream = $1 AND revision = 0`,
        [stream],
      ),
  ],
  [
    'payload',
    'its payload does not match its contract',
    () => breakEvent({ pool: fixture.db.pool, store: fixture.store }, stream, 0),
  ],
])(
  "'billing events show' prints an event with damaged %s as stored with the reason, and the others decoded",
  async (_part, reason, damage) => {
    await fixture.append(...customers(1, 1))
    await damage()
    const stderr = `1 of 2 events of '${stream}' is damaged. Run 'billing events verify'.\n`
    const shown = await show()
    expect(shown).toMatchObject({ code: 1, stderr })
    expect(shown.stdout).toMatch(
      new RegExp(
        `^ {3}0 SubscriptionStarted {2}as stored\\. Event .* cannot be read: ${reason}\\..*\\n.*\\n {3}1 PaymentSucceeded {2}\\d{4}-.* by `,
      ),
    )
    const json = await show('--json')
    expect(json).toMatchObject({ code: 1, stderr })
    const events = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(events).toMatchObject([
      { revision: 0, unreadable: expect.stringContaining(reason) },
      { revision: 1, data: { paymentId: 'payment_1' } },
    ])
    expect(events[1]).not.toHaveProperty('unreadable')
  },
  60_000,
)
