import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startAppSide, type AppSide } from '../../../support/product/app-side.ts'
import type { Observed } from './observe.ts'
import { undisturbed, walk, type Prepare, type Walked } from './walk.ts'

const maxMs = 600_000

/**
 * One test per call and fault: the call, with the fault at each of its operations. Their product is
 * closed before the next group starts one: a database server has few connections.
 */
export function describeRepeats(
  calls: Readonly<Record<string, Prepare>>,
  faults: Readonly<Record<string, Walked>>,
): void {
  describe('a call that is repeated', () => {
    let side: AppSide
    beforeAll(async () => {
      side = await startAppSide()
    }, 120_000)
    afterAll(() => side?.close(), 60_000)

    describe.each(Object.entries(calls))('%s', (_name, prepare) => {
      let expected: Observed
      beforeAll(async () => {
        expected = await undisturbed(side, prepare)
        // A refused call would have nothing to complete.
        if (expected.status >= 400) throw new Error(`The call answers ${expected.status}.`)
      }, 60_000)

      it.each(Object.entries(faults))(
        'is complete after its repeat, wherever %s',
        async (_fault, fault) => {
          expect(await walk(side, prepare, fault, expected)).toEqual([])
        },
        maxMs,
      )
    })
  })
}
