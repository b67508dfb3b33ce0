import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { addClientResponse } from '#contracts/receivables/client-requests'
import {
  schedulePreviewResponse,
  scheduleResponse,
  type ScheduleResponse,
} from '#contracts/receivables/schedule'
import { addDays, parseDay } from '#services/finance/calendar'
import { changedSchedule } from '../../support/product/api-calls.ts'
import { startAppSide, type AppSide, type TestCustomer } from '../../support/product/app-side.ts'

let side: AppSide
let merchant: TestCustomer
beforeAll(async () => {
  side = await startAppSide()
}, 120_000)
beforeEach(async () => {
  merchant = await side.newCustomer()
  await side.buy(merchant)
})
afterAll(() => side?.close())

const path = '/api/receivables/schedule'

async function read(): Promise<ScheduleResponse> {
  const { status, body } = await merchant.client.get(path)
  expect(status).toBe(200)
  return scheduleResponse.parse(body)
}

const save = (body: Readonly<Record<string, unknown>>) => merchant.client.post(path, body)

describe('the schedule of a merchant', () => {
  it('is the default until it is saved, in the zone of the profile, with federal holidays', async () => {
    const answer = await read()
    expect(answer).toMatchObject({ version: 0, savedAt: null, isOn: false, stopped: null })
    expect(answer.schedule.steps).toHaveLength(6)
    expect(answer.schedule.daysOff).toEqual([])
    const year = answer.today.slice(0, 4)
    expect(answer.holidays).toContainEqual({ day: `${year}-12-25`, name: 'Christmas Day' })
    expect(answer.holidays).toContainEqual({
      day: `${Number(year) + 1}-12-25`,
      name: 'Christmas Day',
    })
  })

  it('is what was saved, with its zone, and each step with its beginning', async () => {
    const answer = await save(changedSchedule)
    expect(answer).toMatchObject({ status: 200, body: { version: 1 } })
    const { schedule, ...rest } = await read()
    const [step] = changedSchedule.schedule.steps
    expect(schedule).toEqual({
      ...changedSchedule.schedule,
      steps: [{ ...step, since: rest.savedAt }],
    })
    expect(rest).toMatchObject({ version: 1, timeZone: 'America/Chicago' })
  })

  it('has another zone with two versions: of the schedule, and of the zone', async () => {
    const timeZone = 'America/Anchorage'
    expect(await save({ ...changedSchedule, timeZone })).toMatchObject({ body: { version: 2 } })
    expect(await read()).toMatchObject({ timeZone, version: 2 })
  })

  it('of another tab is not overwritten, and the page says so', async () => {
    await save(changedSchedule)
    const second = { ...changedSchedule, schedule: { ...changedSchedule.schedule, thanks: false } }
    const answer = await save(second)
    expect(answer).toMatchObject({ status: 409, body: { code: 'changed-meanwhile' } })
    expect(answer.body?.['error']).toContain('another window')
    expect(await save({ ...second, basedOn: 1 })).toMatchObject({ status: 200 })
  })

  it.each([
    ['no-sending-day', { sendingDays: [] }],
    ['no-step', { steps: [] }],
    ['wrong-sending-time', { sendingTime: '09:31' }],
  ])('that cannot be followed is refused with a sentence: %s', async (code, parts) => {
    const schedule = { ...changedSchedule.schedule, ...parts }
    const answer = await save({ ...changedSchedule, schedule })
    expect(answer).toMatchObject({ status: 409, body: { code } })
    expect(answer.body?.['error']).toMatch(/\.$/)
    expect(await read()).toMatchObject({ version: 0 })
  })

  it('has a zone that exists', async () => {
    const answer = await save({ ...changedSchedule, timeZone: 'America/Springfield' })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.body?.['error']).toContain('Time zone is unknown')
  })

  it('is read, and not changed, without a plan', async () => {
    merchant = await side.newCustomer()
    expect(await read()).toMatchObject({ access: { mayAct: false, reason: 'no-plan' } })
    expect(await save(changedSchedule)).toMatchObject({ status: 409, body: { code: 'read-only' } })
    const turnedOn = await merchant.client.post(`${path}/turn-on`)
    expect(turnedOn).toMatchObject({ status: 409, body: { code: 'read-only' } })
    expect(await merchant.client.post(`${path}/turn-off`)).toMatchObject({ status: 200 })
  })
})

describe('reminders', () => {
  it('are turned on and off, with the time', async () => {
    expect(await merchant.client.post(`${path}/turn-on`)).toMatchObject({ body: { isOn: true } })
    const on = await read()
    expect(on.isOn).toBe(true)
    expect(on.isOnSince).not.toBeNull()
    expect(on.version).toBe(0)
    expect(await merchant.client.post(`${path}/turn-off`)).toMatchObject({ body: { isOn: false } })
    expect(await read()).toMatchObject({ isOn: false })
  })
})

describe('the preview of a draft', () => {
  it('is computed from the open invoices of this merchant alone, and stores nothing', async () => {
    const { body } = await merchant.client.post('/api/receivables/clients', {
      name: 'Grace Whitaker',
      email: 'g.whitaker@postbox.example',
      state: 'Oregon',
    })
    const { clientId } = addClientResponse.parse(body)
    const { today } = await read()
    const day = parseDay(today)
    if (day === null) throw new Error('The answer has no day.')
    await merchant.client.post(`/api/receivables/clients/${clientId}/invoices`, {
      number: 'AD-1187',
      dueDate: addDays(day, 10),
      amount: 124_000,
      currency: 'usd',
    })
    const draft = { schedule: changedSchedule.schedule, timeZone: changedSchedule.timeZone }
    const answer = await merchant.client.post(`${path}/preview`, draft)
    expect(answer).toMatchObject({ status: 200 })
    const preview = schedulePreviewResponse.parse(answer.body)
    expect(preview.all).toEqual({ clients: 1, invoices: 1 })
    expect(preview.messages[0]).toMatchObject({
      clientName: 'Grace Whitaker',
      channel: 'mail',
      tone: 'firm',
      invoices: [{ number: 'AD-1187', open: 124_000 }],
    })
    expect(await read()).toMatchObject({ version: 0 })
    merchant = await side.newCustomer()
    const others = await merchant.client.post(`${path}/preview`, draft)
    expect(schedulePreviewResponse.parse(others.body).all).toEqual({ clients: 0, invoices: 0 })
  })

  it('of a schedule that cannot be followed is refused', async () => {
    const schedule = { ...changedSchedule.schedule, steps: [] }
    const answer = await merchant.client.post(`${path}/preview`, {
      schedule,
      timeZone: changedSchedule.timeZone,
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'no-step' } })
  })
})
