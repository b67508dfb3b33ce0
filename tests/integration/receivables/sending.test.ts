import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sendingResponse } from '#contracts/admin/sending'
import { scheduleResponse } from '#contracts/receivables/schedule'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
let merchant: TestCustomer
let admin: Awaited<ReturnType<AppSide['admin']>>
beforeAll(async () => {
  side = await startAppSide()
  merchant = await side.newCustomer()
  admin = await side.admin()
}, 120_000)
afterAll(() => side?.close())

const pathOf = (userId: string) => `/api/admin/users/${userId}/sending`
const read = async () => sendingResponse.parse((await admin.get(pathOf(merchant.userId))).body)
const act = (body: Readonly<Record<string, unknown>>) => admin.post(pathOf(merchant.userId), body)

describe('the messages of a merchant', () => {
  it('are allowed, with the limits of a new merchant', async () => {
    expect(await read()).toEqual({
      remindersAreOn: false,
      stopped: null,
      limits: { firstWeek: 200, later: 2_000 },
    })
  })

  it('are stopped with a reason, which the merchant reads, and allowed again', async () => {
    expect(await act({ type: 'stop', reason: 'Clients complain.' })).toMatchObject({ status: 200 })
    expect((await read()).stopped).toMatchObject({ reason: 'Clients complain.' })
    const { body } = await merchant.client.get('/api/receivables/schedule')
    expect(scheduleResponse.parse(body).stopped).toMatchObject({ reason: 'Clients complain.' })
    expect(await act({ type: 'allow' })).toMatchObject({ status: 200 })
    expect((await read()).stopped).toBeNull()
  })

  it('are limited by an administrator', async () => {
    const limits = { firstWeek: 500, later: 5_000 }
    expect(await act({ type: 'set-limits', limits })).toMatchObject({ status: 200 })
    expect((await read()).limits).toEqual(limits)
    const none = { firstWeek: 0, later: 5_000 }
    expect(await act({ type: 'set-limits', limits: none })).toMatchObject({ status: 400 })
    expect(await act({ type: 'stop', reason: '  ' })).toMatchObject({ status: 400 })
  })

  it('of an account that does not exist are not there', async () => {
    expect(await admin.get(pathOf('usr_unknown'))).toMatchObject({ status: 404 })
    expect(await admin.post(pathOf('usr_unknown'), { type: 'allow' })).toMatchObject({
      status: 404,
    })
  })
})
