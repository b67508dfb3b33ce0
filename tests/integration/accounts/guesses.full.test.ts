import { afterAll, beforeAll, describe, it } from '@jest/globals'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { expectGuessesGetNowhere } from '../../support/product/guess-codes.ts'

let side: AuthSide
beforeAll(async () => {
  // The code stays valid for as long as the guesses take: 10 min and more on a busy machine.
  const now = Date.now()
  side = await startAuthSide({ now: () => now })
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

describe('guesses of a sign-in code', () => {
  it('from 10,000 networks at once get nowhere, and the owner still signs in', async () => {
    await expectGuessesGetNowhere(side, 10_000)
  }, 3_600_000)
})
