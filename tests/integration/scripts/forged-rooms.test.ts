import { expect, it } from '@jest/globals'
import { forgeRooms } from '../../support/audit-room/forge-rooms.ts'

it('the verifier accepts no room that a forger changed by one or two edits', async () => {
  const { genuine, forged, accepted } = await forgeRooms(5, 75)
  expect(genuine).toMatchObject({ code: 0, output: expect.stringContaining('Problems: 0.') })
  expect(accepted).toEqual([])
  expect(forged).toBeGreaterThan(120)
}, 120_000)
