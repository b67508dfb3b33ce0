import { expect, it } from '@jest/globals'
import { reports } from '#projections/reports/read-model'
import { users } from '#projections/users/read-model'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { customers } from '../../support/projections/projection-fixture.ts'
import { projectionFixturePerTest } from '../../support/projections/projection-fixture-per-test.ts'
import { until } from '../../support/machine/until.ts'

const fixture = projectionFixturePerTest()
const former = Buffer.alloc(32, 1)
const rotated = Buffer.alloc(32, 2)
const codecWith = (masterKey: Buffer) => createCodec(createPersonalKeys(fixture.db.pool, masterKey))

it.each([users, reports])(
  'a projector without the MASTER_KEY in use parks and pauses nothing, and leaves $name to a projector with the key',
  async (model) => {
    const events = customers(1, 5)
    const keys = createPersonalKeys(fixture.db.pool, rotated)
    for (const { stream } of events) await keys.forWriting(stream.replace(/^[^-]*-/, ''))
    const last = await fixture.append(...events)

    const failures: object[] = []
    const log = {
      info: () => undefined,
      warn: (facts: object) => void failures.push(facts),
      error: (facts: object) => void failures.push(facts),
    }
    fixture.start(model, { codec: codecWith(former), log })
    await until(async () => failures.length > 0)
    expect(JSON.stringify(failures.map((each) => Object.entries(each)))).toContain('MASTER_KEY')
    expect(await fixture.parked(model)).toEqual([])
    expect(await fixture.statusOf(model)).toMatchObject({ state: 'running', reason: null })

    fixture.start(model, { codec: codecWith(rotated) })
    expect(await fixture.projected([model], last)).toBe(true)
    expect(await fixture.parked(model)).toEqual([])
  },
)
