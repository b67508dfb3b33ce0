import { expect, it } from '@jest/globals'
import { forgeRooms } from '../../support/audit-room/forge-rooms.ts'

it('the verifier accepts none of 5,000 forged rooms', async () => {
  const { genuine, forged, refused, equal, accepted } = await forgeRooms(80, 4_200)
  expect(genuine).toMatchObject({ code: 0 })
  expect(accepted).toEqual([])
  expect(refused + equal).toBe(forged)
  expect(forged).toBeGreaterThanOrEqual(5_000)
}, 1_800_000)
