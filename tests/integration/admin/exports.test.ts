import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { strFromU8, unzipSync } from 'fflate'
import { exportEvents } from '#contracts/admin/exports'
import { adminListNames, adminLists, type AdminListName } from '#contracts/admin/lists'
import type { DomainEvent } from '#contracts/events/catalogue'
import { chain } from '#services/event-store/audit/hash-chain'
import { createAdmission } from '#services/http/admission/admission'
import { workLimits } from '#services/http/admission/work'
import { someEvent } from '../../support/data/some-event.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { exportCalls } from '../../support/product/export-calls.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { until } from '../../support/machine/until.ts'

let side: AuthSide
const { signIn, newAdmin, get, request, exportsInLog } = exportCalls(() => side)
const injected = '=HYPERLINK("https://evil.example")'

async function append(stream: string, ...events: readonly DomainEvent[]) {
  for (const { type, data } of events) {
    const id = randomUUID()
    const encoded = await side.codec.encode(stream, { id, type, data })
    const last = await side.watched.store.readLast(stream)
    const metadata = { ...someEvent().metadata, schemaVersion: encoded.schemaVersion }
    await side.watched.store.append(
      stream,
      last?.revision ?? 'no-stream',
      chain(stream, last ?? undefined, [{ id, type, data: encoded.data, metadata }], macKey),
    )
  }
}
const sample = <Type extends DomainEvent['type']>(type: Type) =>
  ({ type, data: samplePayloads[type] }) as DomainEvent

beforeAll(async () => {
  const limits = workLimits({ requests: 20, reading: 6 })
  side = await startAuthSide({
    admission: createAdmission({ limits, log: { warn: () => undefined } }),
  })
  await side.startProjectors()
  await append('account-usr_1', {
    type: 'AccountOpened',
    data: { userId: 'usr_1', email: 'dana@birchwooddental.example' },
  })
  await append('account-usr_1', {
    type: 'CompanyProfileCompleted',
    data: { ...samplePayloads.CompanyProfileCompleted, companyName: injected },
  })
  await append(
    'billing-usr_1',
    sample('SubscriptionStarted'),
    sample('PaymentSucceeded'),
    sample('RefundRecorded'),
    { type: 'RefundStatusChanged', data: { ...samplePayloads.RefundStatusChanged } },
  )
  await append('enquiry-enquiry_1', {
    type: 'EnquirySubmitted',
    data: { ...samplePayloads.EnquirySubmitted, message: '+1\nsecond line, "quoted"' },
  })
  await signIn()
  for (const name of Object.keys(adminLists))
    await until(async () => {
      const { body } = await get(`/api/admin/${name}`)
      return Number(body?.['total']) > 0
    }, `the list ${name} is empty`)
}, 60_000)
afterAll(() => side?.close())

const fileNameOf = (response: Response) =>
  /filename="?([^"]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1]
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
/** The begin of the name and of the header. */
const files: Readonly<Record<AdminListName, readonly [string, string]>> = {
  users: ['Users', 'Email,Secondary Email,Status'],
  payments: ['Payments', 'Date (UTC),Customer Name,Customer Email'],
  'active-subscriptions': ['Active Plans', 'Created (UTC),Customer Name,Customer Email'],
  enquiries: ['Enquiries', 'First Name,Last Name,Email'],
  refunds: ['Refunds', 'Created (UTC),Customer Name,Customer Email'],
}

describe('an export as CSV', () => {
  it.each(adminListNames)(
    'of the list %s has its name, a header and every row',
    async (name) => {
      const [label, header] = files[name]
      await newAdmin()
      const response = await request(name, 'format=csv')
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(fileNameOf(response)).toMatch(
        new RegExp(`^${label}_\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d\\.csv$`),
      )
      const bytes = await bytesOf(response)
      expect(Buffer.from(bytes.slice(0, 3)).toString('hex')).toBe('efbbbf')
      const text = Buffer.from(bytes.slice(3)).toString()
      expect(text.startsWith(`${header},`)).toBe(true)
      expect(text.endsWith('\r\n')).toBe(true)
      const { total } = adminLists[name].page.parse((await get(`/api/admin/${name}`)).body)
      // The one enquiry has a line break in its message.
      expect(text.split('\r\n').length - 2).toBe(total)
    },
    60_000,
  )

  it('keeps formulas texts, and amounts and times readable', async () => {
    await newAdmin()
    const users = await (await request('users', 'format=csv')).text()
    expect(users).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
    expect(users).toContain(',29.00,USD,')
    const enquiries = await (await request('enquiries', 'format=csv')).text()
    expect(enquiries).toContain(`"'+1\nsecond line, ""quoted"""`)
    const payments = await (await request('payments', 'format=csv&sort=amount_total')).text()
    // A negative amount is a number, without an apostrophe.
    expect(payments).toMatch(/,-10\.00,-10\.00,/)
    expect(payments).toMatch(/\r\n2026-03-03T09:12:00\.000Z,|\r\n\d{4}-\d\d-\d\dT/)
  }, 60_000)

  it('has the reason of a refund in the words of the screen', async () => {
    await newAdmin()
    const refunds = await (await request('refunds', 'format=csv')).text()
    expect(refunds).toContain(',Requested by customer,')
    expect(refunds).not.toContain('requested_by_customer')
  })

  it.each([
    ['', 'Active Plans_'],
    ['&interval=monthly', 'Active Plans Monthly_'],
  ])('of active plans with %j begins with %j', async (query, name) => {
    await newAdmin()
    expect(fileNameOf(await request('active-subscriptions', `format=csv${query}`))).toMatch(
      new RegExp(`^${name}20`),
    )
  })

  it.each(['csv', 'xlsx'])('without a row is 404 and records nothing', async (format) => {
    await newAdmin()
    const before = (await exportsInLog()).length
    const response = await request('active-subscriptions', `format=${format}&interval=annual`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'No data to export' })
    expect(await exportsInLog()).toHaveLength(before)
  })

  it('is recorded with the session, the filters and the presence of a search', async () => {
    await newAdmin()
    await (await request('users', 'format=csv&userType=4&search=birchwood&order=asc')).text()
    const event = (await exportsInLog()).at(-1)
    expect(event).toMatchObject({
      stream: expect.stringMatching(/^adminAccess-\d{4}-\d\d$/) as unknown,
      metadata: { actor: { kind: 'admin' } },
      data: { list: 'users', format: 'csv', rows: 1, filters: { userType: '4' }, isSearched: true },
    })
    expect(event?.metadata.actor.id).toBe(event?.data.adminId)
    expect(JSON.stringify(event)).not.toContain('birchwood')
  }, 60_000)

  it('is answered to a call that no person caused', async () => {
    await newAdmin()
    const response = await request('users', 'format=csv', { 'x-background': '1' })
    expect(response.status).toBe(200)
  })

  it('is not made for HEAD, which is neither recorded nor counted', async () => {
    await newAdmin()
    const before = (await exportsInLog()).length
    for (let n = 0; n < 21; n += 1) {
      const response = await request(
        'refunds',
        `format=${n % 2 === 0 ? 'csv' : 'xlsx'}`,
        {},
        'HEAD',
      )
      expect(response.status).toBe(200)
    }
    expect(await exportsInLog()).toHaveLength(before)
    expect((await request('refunds', 'format=csv')).status).toBe(200)
    expect((await request('refunds', 'format=pdf', {}, 'HEAD')).status).toBe(400)
    expect((await request('refunds', 'format=csv', { cookie: '' }, 'HEAD')).status).toBe(401)
  }, 60_000)

  it('refuses a page, another format and an unknown filter', async () => {
    for (const query of [
      '',
      'format=pdf',
      'format=csv&page=2',
      'format=csv&status=x',
      'format=csv&a=1',
    ])
      expect((await request('users', query)).status).toBe(400)
    expect((await side.client().get('/api/admin/users/export?format=csv')).status).toBe(401)
  }, 60_000)

  it('of one administrator in parallel is refused beyond a share, and leaves a place for another', async () => {
    await newAdmin()
    const responses = Array.from({ length: 15 }, () => request('refunds', 'format=csv'))
    const elsewhere = await side.signInAsAdmin()
    const other = fetch(`${side.addresses.url}/api/admin/refunds/export?format=csv`, {
      headers: { cookie: elsewhere.cookieHeader(), 'x-forwarded-for': '198.51.100.78' },
    })
    expect((await other).status).toBe(200)
    const refused = (await Promise.all(responses)).filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const response of refused) {
      expect(response.status).toBe(429)
      expect(await response.text()).toContain('Too many requests from your browser or your network')
    }
    // Refusals do not count against the limit of exports.
    expect((await request('refunds', 'format=csv')).status).toBe(200)
  }, 60_000)

  it('is refused after 20 exports of a sign-in or of a network in 5 minutes', async () => {
    await newAdmin()
    for (let n = 0; n < 20; n += 1) await (await request('refunds', 'format=csv')).text()
    const refused = await request('refunds', 'format=csv')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

    // Another sign-in has another id, and none of its exports are counted.
    const otherSignIn = async () => {
      await side.pool.query("DELETE FROM app.rate_limit WHERE key = 'list-export:adm_1'")
      await signIn()
    }
    await otherSignIn()
    expect((await request('refunds', 'format=csv')).status).toBe(429)
    await otherSignIn()
    const elsewhere = { 'x-forwarded-for': '198.51.100.77' }
    expect((await request('refunds', 'format=csv', elsewhere)).status).toBe(200)
  }, 60_000)
})

describe('an export as XLSX', () => {
  it.each(adminListNames)(
    'of the list %s has one sheet with every row',
    async (name) => {
      const [label, header] = files[name]
      await newAdmin()
      const response = await request(name, 'format=xlsx')
      expect(response.status).toBe(200)
      expect(fileNameOf(response)).toMatch(new RegExp(`^${label}_20.*\\.xlsx$`))
      const parts = unzipSync(await bytesOf(response))
      const strings = strFromU8(parts['xl/sharedStrings.xml'] ?? new Uint8Array())
      for (const column of header.split(',')) expect(strings).toContain(`>${column}<`)
      const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
      const { total } = adminLists[name].page.parse((await get(`/api/admin/${name}`)).body)
      expect(sheet.match(/<row /g)).toHaveLength(total + 1)
    },
    60_000,
  )

  it('reports its progress and then the file, if the client prefers events', async () => {
    await newAdmin()
    const response = await request('users', 'format=xlsx', { accept: 'text/event-stream' })
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = (await response.text())
      .trim()
      .split('\n\n')
      .map((each) => {
        const [name = '', data = ''] = each.split('\n')
        return [name.replace('event: ', ''), JSON.parse(data.replace('data: ', '')) as unknown]
      })
    expect(events.map(([name]) => name)).toEqual(['progress', 'file'])
    const { rows, total } = exportEvents.progress.parse(events[0]?.[1])
    expect(rows).toBe(total)
    const { name, base64 } = exportEvents.file.parse(events[1]?.[1])
    expect(name).toMatch(/^Users_20.*\.xlsx$/)
    expect(Object.keys(unzipSync(Buffer.from(base64, 'base64')))).toContain('xl/workbook.xml')
  }, 60_000)
})
