import { describe, expect, it, jest } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { enquiries } from '#projections/enquiries/read-model'
import { imports } from '#projections/imports/read-model'
import { readModels } from '#projections/read-models'
import { receivables } from '#projections/receivables/read-model'
import { reports } from '#projections/reports/read-model'
import { users } from '#projections/users/read-model'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { createNewerRelease } from '#services/event-store/newer-release'
import { release } from '#services/foundation/release'
import { recorded } from '../../support/data/events.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { customers, silentLog } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()
const codec = createKeylessCodec()

jest.setTimeout(60_000)

const byThisRelease = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  metadata: { ...event.metadata, release },
})

const setType = ({ id }: RecordedEvent, type: string) =>
  tamper(fixture.db.pool, 'UPDATE log.event SET type = $1 WHERE id = $2', [type, id])

/** Three customers. The type of the second one's payment gets damaged. */
const history = customers(1, 3).map(byThisRelease)
const payment = history[7] ?? history[0]!
const damagedType = 'PaymentSucceded'

describe('an event whose type was damaged', () => {
  /** They fold no event of a stream of billing. */
  const others = [enquiries, imports, receivables]
  const concerned = readModels.filter(({ name }) => others.every((other) => other.name !== name))

  it.each(concerned)(
    'parks its customer only, and is folded when it is corrected ($name)',
    async (model) => {
      await fixture.append(...history)
      await setType(payment, damagedType)
      const newerRelease = createNewerRelease(silentLog)
      fixture.start(model, { codec, newerRelease })
      const end = await fixture.append(
        byThisRelease(recorded('account-usr_3', { type: 'AccountBlocked', data: {} })),
      )
      expect(await fixture.projected([model], end)).toBe(true)
      expect(await fixture.parked(model)).toMatchObject([
        { event: { id: payment.id, type: damagedType }, waitingEvents: 1 },
      ])
      expect(newerRelease.sentence(true)).toBeNull()

      await setType(payment, payment.type)
      expect(await fixture.retry(model, payment.stream)).toBeNull()
      expect(await fixture.verify(model, { codec })).toMatchObject({
        isEqual: true,
        events: history.length + 1,
        parkedEvents: 0,
      })
    },
  )

  it.each(others)('parks nothing in $name, which folds no event of its category', async (model) => {
    const end = await fixture.append(...history)
    await setType(payment, damagedType)
    fixture.start(model, { codec })
    expect(await fixture.projected([model], end)).toBe(true)
    expect(await fixture.parked(model)).toEqual([])
  })

  it('pauses the read model of the reports if it can be a close of a month', async () => {
    const close = byThisRelease(
      recorded('close-2026-02', {
        type: 'MonthCutOff',
        data: { month: '2026-02', timeZone: 'UTC' },
      }),
    )
    const end = await fixture.append(...history, close)
    await setType(close, 'MonthCutOf')
    fixture.start(reports, { codec })
    await until(async () => (await fixture.statusOf(reports))?.state === 'paused')
    expect(await fixture.statusOf(reports)).toMatchObject({
      reason: expect.stringContaining(
        'The type MonthCutOf is damaged. It can be MonthCutOff, which changes how the later events of all customers are folded',
      ),
      pausedEvent: { id: close.id },
    })
    await setType(close, close.type)
    await fixture.retry(reports, close.stream).catch(() => undefined)
    expect(await fixture.projected([reports], end)).toBe(true)
    expect(await fixture.verify(reports, { codec })).toMatchObject({ isEqual: true })
  })
})

describe('a projector that waits for a newer release', () => {
  it('continues without a restart when the event is corrected', async () => {
    const events = customers(1, 3)
    const end = await fixture.append(...events)
    const damaged = events[7] ?? events[0]!
    await setType(damaged, damagedType)
    const newerRelease = createNewerRelease(silentLog)
    fixture.start(users, { codec, newerRelease })
    await until(async () => newerRelease.waiting().length === 1)
    expect(newerRelease.releases()).toEqual(['unknown'])

    await setType(damaged, damaged.type)
    expect(await fixture.projected([users], end)).toBe(true)
    expect(newerRelease.waiting()).toEqual([])
    expect(await fixture.verify(users, { codec })).toMatchObject({ isEqual: true })
  })
})
