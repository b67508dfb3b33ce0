import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { EnquiryEvent } from '#contracts/events/enquiry'
import { hmacInUse } from '#services/accounts/email-keys'
import { erasePerson } from '#services/accounts/erase-person'
import { eraseAddress } from '#services/enquiries/erase-address'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { parseUserId, type UserId } from '#contracts/ids'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { until } from '../../support/machine/until.ts'

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

let networks = 0
/** A visitor in a network of the test. */
const visitor = () => {
  networks += 1
  return side.client({ 'x-forwarded-for': `198.51.${networks >> 8}.${networks & 255}` })
}
const newAddress = () => `${randomUUID()}@example.com`
const form = (over: Record<string, unknown> = {}) => ({
  first_name: 'Rosa',
  last_name: 'Delgado',
  email: newAddress(),
  phone_number: '(612) 555-0199',
  message: 'How do text reminders work?',
  goals: '',
  ...over,
})
type Enquiry = RecordedEvent<EnquiryEvent>
const isEnquiry = (event: RecordedEvent): event is Enquiry => event.stream.startsWith('enquiry-')
const hmacOf = (email: string) => hmacInUse(side.erasing.emailKeys, email)
/** The events of all enquiries of an address, decrypted. */
async function enquiriesOf(email: string): Promise<readonly Enquiry[]> {
  const events = (await side.readLog()).filter(isEnquiry)
  const streams = new Set(
    events
      .filter(({ type, data }) => type === 'EnquirySubmitted' && data.addressHmac === hmacOf(email))
      .map(({ stream }) => stream),
  )
  return events.filter(({ stream }) => streams.has(stream))
}
async function givenEnquiry(email = newAddress()) {
  expect((await visitor().post('/api/enquiries', form({ email }))).status).toBe(200)
  const stream = (await enquiriesOf(email)).at(-1)?.stream ?? ''
  return { email, stream, id: stream.slice('enquiry-'.length) }
}
const context = (commandId: string = randomUUID()) => ({
  commandId,
  correlationId: 'test',
  actor: { kind: 'admin', id: 'adm_1' } as const,
  source: 'api' as const,
})

describe('the contact form', () => {
  it('records the enquiry, encrypted with a key of the address', async () => {
    const email = newAddress()
    const message = '<b>Hello</b> & "goodbye"\r\n\tDROP TABLE; -- 😀'
    const answer = await visitor().post(
      '/api/enquiries',
      form({ email: ` ${email.toUpperCase()} `, message, goals: '  <i>Fewer</i> calls ' }),
    )
    expect(answer).toMatchObject({ status: 200, body: {} })
    const [event, ...others] = await enquiriesOf(email)
    expect(others).toEqual([])
    expect(event).toMatchObject({
      type: 'EnquirySubmitted',
      metadata: { actor: { kind: 'customer', id: 'visitor' }, source: 'api' },
      data: {
        addressHmac: hmacOf(email),
        firstName: 'Rosa',
        lastName: 'Delgado',
        email,
        phoneNumber: '(612) 555-0199',
        message: '<b>Hello</b> & "goodbye"\n DROP TABLE; -- 😀',
        goals: '<i>Fewer</i> calls',
      },
    })
    const [stored] = await side.eventsOf(event?.stream ?? '')
    expect(Object.keys(stored?.data ?? {})).toContain('addressHmac')
    const text = JSON.stringify(stored)
    for (const secret of [email, 'Rosa', 'Delgado', '555-0199', 'goodbye', 'Fewer'])
      expect(text).not.toContain(secret)
  }, 60_000)

  it('needs every field but the goals, and names the missing one', async () => {
    const client = visitor()
    const { goals: _goals, ...withoutGoals } = form()
    expect((await client.post('/api/enquiries', withoutGoals)).status).toBe(200)
    for (const [field, error] of [
      ['first_name', 'First name is required.'],
      ['last_name', 'Last name is required.'],
      ['email', 'Enter a valid e-mail address.'],
      ['phone_number', 'Phone number is required.'],
      ['message', 'Message is required.'],
    ] as const) {
      for (const empty of ['', ' \u200b '])
        expect(await client.post('/api/enquiries', form({ [field]: empty }))).toMatchObject({
          status: 400,
          body: { field, error },
        })
      const { [field]: _field, ...without } = form()
      expect(await client.post('/api/enquiries', without)).toMatchObject({
        status: 400,
        body: { field },
      })
    }
  }, 60_000)

  it('refuses texts that are too long, control characters and other types', async () => {
    const client = visitor()
    const long = 'x'.repeat(10_000)
    for (const [field, value] of [
      ['first_name', long],
      ['last_name', 'a\nb'],
      ['email', `${long}@example.com`],
      ['email', 'rosa'],
      ['phone_number', 'call me'],
      ['message', long],
      ['message', 'a\0b'],
      ['message', 'a\u202eb'],
      ['goals', long],
      ['goals', ['a']],
      ['message', { toString: 'x' }],
      ['website', 7],
    ] as const) {
      const email = newAddress()
      const answer = await client.post('/api/enquiries', form({ email, [field]: value }))
      expect(answer).toMatchObject({ status: 400, body: { field } })
      expect(await enquiriesOf(email)).toEqual([])
    }
  }, 60_000)

  it('answers an enquiry with a filled hidden field as any other, and records nothing', async () => {
    const email = newAddress()
    const [trapped, usual] = await Promise.all([
      visitor().post('/api/enquiries', form({ email, website: 'https://spam.example' })),
      visitor().post('/api/enquiries', form()),
    ])
    expect(trapped.status).toBe(usual.status)
    expect(trapped.body).toEqual(usual.body)
    const names = (headers: Headers) => [...headers.keys()].sort()
    expect(names(trapped.headers)).toEqual(names(usual.headers))
    expect(await enquiriesOf(email)).toEqual([])
  }, 60_000)

  it('takes a repeat of the same call for the same enquiry', async () => {
    const client = visitor()
    const body = form()
    const key = { 'idempotency-key': randomUUID() }
    const answers = await Promise.all([
      client.post('/api/enquiries', body, key),
      client.post('/api/enquiries', body, key),
      client.post('/api/enquiries', body, key),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await enquiriesOf(body.email)).toHaveLength(1)
    expect((await client.post('/api/enquiries', { ...body, goals: 'x' }, key)).status).toBe(200)
    expect((await client.post('/api/enquiries', body)).status).toBe(200)
    expect(await enquiriesOf(body.email)).toHaveLength(3)
  }, 60_000)

  it('takes 5 enquiries of a network in 15 minutes, also at the same time', async () => {
    const client = visitor()
    const body = form()
    // Invalid input is not counted.
    for (let n = 0; n < 6; n += 1)
      expect((await client.post('/api/enquiries', form({ email: '' }))).status).toBe(400)
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.post('/api/enquiries', body)),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(refused).toHaveLength(7)
    for (const { headers, body: answer } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(800)
      expect(answer?.['error']).toBe('Too many tries. Please wait 15 minutes and try again.')
    }
    expect(await enquiriesOf(body.email)).toHaveLength(5)
    expect((await visitor().post('/api/enquiries', body)).status).toBe(200)
  }, 60_000)

  it('does not count an enquiry that could not be recorded', async () => {
    const client = visitor()
    side.watched.isAway = true
    try {
      for (let n = 0; n < 7; n += 1)
        expect((await client.post('/api/enquiries', form())).status).toBe(503)
    } finally {
      side.watched.isAway = false
    }
    expect((await client.post('/api/enquiries', form())).status).toBe(200)
  }, 60_000)
})

describe('the status of an enquiry', () => {
  it('is set by an administrator only', async () => {
    const { id } = await givenEnquiry()
    for (const client of [visitor(), await signedUp()])
      expect(
        (await client.send('PATCH', `/api/admin/enquiries/${id}`, { status: 'closed' })).status,
      ).toBe(401)
  }, 60_000)

  it('changes from any status directly, is recorded with the session, and not twice', async () => {
    const { id, email } = await givenEnquiry()
    const admin = await side.signInAsAdmin()
    const set = (status: string) => admin.send('PATCH', `/api/admin/enquiries/${id}`, { status })
    for (const status of ['closed', 'closed', 'inprogress', 'closed'])
      expect(await set(status)).toMatchObject({ status: 200, body: { enquiry_id: id, status } })
    const [, ...changes] = await enquiriesOf(email)
    expect(changes).toMatchObject([
      { data: { from: 'open', to: 'closed' }, metadata: { actor: { kind: 'admin' } } },
      { data: { from: 'closed', to: 'inprogress' } },
      { data: { from: 'inprogress', to: 'closed' } },
    ])
    for (const status of ['open', 'done', '', null])
      expect(await admin.send('PATCH', `/api/admin/enquiries/${id}`, { status })).toMatchObject({
        status: 400,
        body: { field: 'status' },
      })
  }, 60_000)

  it.each(['enquiry_unknown', 'usr_1', 'x'.repeat(64), "'; --"])(
    'of the unknown enquiry %s is 404',
    async (id) => {
      const admin = await side.signInAsAdmin()
      const path = `/api/admin/enquiries/${encodeURIComponent(id)}`
      expect(await admin.send('PATCH', path, { status: 'closed' })).toMatchObject({
        status: 404,
        body: { error: `There is no enquiry ${id}. Refresh the list.` },
      })
    },
    60_000,
  )

  it('that two administrators change at once has both changes, and the later one shows', async () => {
    const { id, email } = await givenEnquiry()
    const [one, two] = [await side.signInAsAdmin(), await side.signInAsAdmin()]
    const set = (admin: typeof one, status: string) =>
      admin.send('PATCH', `/api/admin/enquiries/${id}`, { status })
    const answers = await Promise.all([set(one, 'inprogress'), set(two, 'closed')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [, first, second, ...others] = await enquiriesOf(email)
    expect(others).toEqual([])
    expect([first?.data, second?.data]).toEqual(
      first?.type === 'EnquiryStatusChanged' && first.data.to === 'closed'
        ? [
            { from: 'open', to: 'closed' },
            { from: 'closed', to: 'inprogress' },
          ]
        : [
            { from: 'open', to: 'inprogress' },
            { from: 'inprogress', to: 'closed' },
          ],
    )
  }, 60_000)
})

describe('the list of enquiries', () => {
  it('shows new enquiries, their status after a change, and no text after an erasure', async () => {
    const email = newAddress()
    const message = '<img src=x onerror=alert(1)>'
    await visitor().post('/api/enquiries', form({ email, message, first_name: '=1+1' }))
    const admin = await side.signInAsAdmin()
    const listed = async (search = email) =>
      (await admin.get(`/api/admin/enquiries?search=${encodeURIComponent(search)}`)).body?.[
        'items'
      ] as Record<string, unknown>[]
    await until(async () => (await listed()).length === 1, 'the enquiry is not listed')
    const [enquiry] = await listed()
    expect(enquiry).toMatchObject({ email, message, first_name: '=1+1', status: 'open' })
    const id = String(enquiry?.['enquiry_id'])
    await admin.send('PATCH', `/api/admin/enquiries/${id}`, { status: 'closed' })
    // The session reads its own write.
    expect(await listed()).toMatchObject([{ status: 'closed' }])
    const userId = parseUserId(await side.client().signUp(email))
    await erasePerson(userId, side.erasing, context(`erase ${userId}`))
    await until(async () => (await listed()).length === 0, 'the enquiry is not erased')
    const all = (await admin.get('/api/admin/enquiries?pageSize=100&status=closed')).body?.['items']
    expect(all).toContainEqual(
      expect.objectContaining({ enquiry_id: id, email: '[erased]', message: '[erased]' }),
    )
  }, 60_000)

  it('is for administrators, and refuses a sort, status or page that does not exist', async () => {
    expect((await visitor().get('/api/admin/enquiries')).status).toBe(401)
    const admin = await side.signInAsAdmin()
    for (const [query, field] of [
      ['sort=message', 'sort'],
      ['status=done', 'status'],
      ['page=0', 'page'],
      ['page=-1', 'page'],
      ['page=1000000000', 'page'],
      ['page=501', 'page'],
      [`search=${'x'.repeat(10_000)}`, 'search'],
    ] as const)
      expect(await admin.get(`/api/admin/enquiries?${query}`)).toMatchObject({
        status: 400,
        body: { field },
      })
  }, 60_000)
})

const signedUp = async (email = newAddress()) => {
  const client = side.client()
  await client.signUp(email)
  return client
}

describe('the erasure of a person', () => {
  const erase = (userId: UserId) => erasePerson(userId, side.erasing, context(`erase ${userId}`))
  /** The texts of the enquiries of an address, as a reader without cached keys reads them. */
  const textsOf = async (email: string) =>
    (await enquiriesOf(email)).flatMap((event) =>
      event.type === 'EnquirySubmitted' ? [event.data.message] : [],
    )

  it('erases the enquiries of the address, before and after the account was opened', async () => {
    const { email, stream } = await givenEnquiry()
    const other = await givenEnquiry()
    const client = side.client()
    const userId = parseUserId(await client.signUp(email))
    await givenEnquiry(email)
    expect(await erase(userId)).toBe('erased')
    expect(await textsOf(email)).toEqual(['[erased]', '[erased]'])
    expect((await side.eventsOf(stream)).map(({ type }) => type)).toEqual([
      'EnquirySubmitted',
      'EnquiryErased',
    ])
    expect(await textsOf(other.email)).toEqual(['How do text reminders work?'])
    expect(await erase(userId)).toBe('erased-before')
    expect(await enquiriesOf(email)).toHaveLength(4)
  }, 60_000)

  it('leaves an enquiry readable that the address sends afterwards', async () => {
    const { email } = await givenEnquiry()
    await erase(parseUserId(await side.client().signUp(email)))
    await givenEnquiry(email)
    expect(await textsOf(email)).toEqual(['[erased]', 'How do text reminders work?'])
  }, 60_000)

  it('erases the enquiries of a verified secondary address that was removed', async () => {
    const client = side.client()
    const userId = parseUserId(await client.signUp(newAddress()))
    const { email } = await givenEnquiry()
    await side.accounts.setSecondaryEmail(userId, email, context())
    await side.accounts.signIn(userId, email, null, context())
    await side.accounts.removeSecondaryEmail(userId, context())
    await erase(userId)
    expect(await textsOf(email)).toEqual(['[erased]'])
  }, 60_000)

  it('keeps the enquiries of an address that the account never verified', async () => {
    const userId = parseUserId(await side.client().signUp(newAddress()))
    const { email } = await givenEnquiry()
    await side.accounts.setSecondaryEmail(userId, email, context())
    await erase(userId)
    expect(await textsOf(email)).toEqual(['How do text reminders work?'])
  }, 60_000)

  it('keeps the enquiries of an address that belongs to another account by now', async () => {
    const userId = parseUserId(await side.client().signUp(newAddress()))
    const { email } = await givenEnquiry()
    await side.accounts.setSecondaryEmail(userId, email, context())
    await side.accounts.signIn(userId, email, null, context())
    await side.accounts.removeSecondaryEmail(userId, context())
    const owner = parseUserId(await side.client().signUp(email))
    await erase(userId)
    expect(await textsOf(email)).toEqual(['How do text reminders work?'])
    await erase(owner)
    expect(await textsOf(email)).toEqual(['[erased]'])
  }, 60_000)

  it('is completed by a repeat after a crash between two enquiries', async () => {
    const { email } = await givenEnquiry()
    await givenEnquiry(email)
    const userId = parseUserId(await side.client().signUp(email))
    let erasedKeys = 0
    const crashing = {
      ...side.erasing,
      enquiries: createCrashing(() => {
        erasedKeys += 1
        if (erasedKeys === 2) throw new Error('The process was killed.')
      }),
    }
    await expect(erasePerson(userId, crashing, context(`erase ${userId}`))).rejects.toThrow(
      'The process was killed.',
    )
    expect(new Set(await textsOf(email))).toEqual(
      new Set(['[erased]', 'How do text reminders work?']),
    )
    expect(await erase(userId)).toBe('erased')
    expect(await textsOf(email)).toEqual(['[erased]', '[erased]'])
  }, 60_000)

  function createCrashing(beforeKey: () => void) {
    const { commands, keys, clock } = side.erasing
    return createEnquiryErasure({
      commands,
      clock,
      keys: {
        enquiriesWith: keys.enquiriesWith,
        async erase(subject) {
          beforeKey()
          await keys.erase(subject)
        },
      },
    })
  }
})

describe('the erasure of a visitor', () => {
  const erase = (email: string) => eraseAddress(email, side.erasing, context('erase address'))
  const messageOf = async (email: string) =>
    (await enquiriesOf(email)).flatMap((event) =>
      event.type === 'EnquirySubmitted' ? [event.data.message] : [],
    )

  it('erases every enquiry of the address, once, and no other', async () => {
    const { email, stream } = await givenEnquiry()
    await givenEnquiry(email)
    const other = await givenEnquiry()
    for (let run = 0; run < 2; run += 1)
      expect(await erase(email)).toEqual({ kind: 'erased', enquiries: 2 })
    expect(await messageOf(email)).toEqual(['[erased]', '[erased]'])
    expect((await side.eventsOf(stream)).map(({ type }) => type)).toEqual([
      'EnquirySubmitted',
      'EnquiryErased',
    ])
    expect(await messageOf(other.email)).toEqual(['How do text reminders work?'])
    expect(await erase(newAddress())).toEqual({ kind: 'erased', enquiries: 0 })
  }, 60_000)

  it('is refused for the address of an account, verified or only entered', async () => {
    for (const open of ['verified', 'entered']) {
      const { email } = await givenEnquiry()
      const client = visitor()
      const { body } = await client.post('/api/auth/check-user', { email })
      expect(body).toMatchObject({ isNewUser: true })
      if (open === 'verified') await client.signUp(email)
      expect(await erase(email)).toMatchObject({ kind: 'has-account' })
      expect(await messageOf(email)).toEqual(['How do text reminders work?'])
    }
  }, 60_000)

  it('is done for a secondary address that a customer never verified', async () => {
    const userId = parseUserId(await side.client().signUp(newAddress()))
    const { email } = await givenEnquiry()
    await side.accounts.setSecondaryEmail(userId, email, context())
    expect(await erase(email)).toEqual({ kind: 'erased', enquiries: 1 })
    await givenEnquiry(email)
    await side.accounts.signIn(userId, email, null, context())
    expect(await erase(email)).toEqual({ kind: 'has-account', userId })
  }, 60_000)
})

describe('the download of the own data', () => {
  it('has the enquiries of the verified addresses, and of no other', async () => {
    const [mine, second, foreign] = [
      await givenEnquiry(),
      await givenEnquiry(),
      await givenEnquiry(),
    ]
    const client = side.client()
    const userId = parseUserId(await client.signUp(mine.email))
    await side.accounts.setSecondaryEmail(userId, second.email, context())
    const areas = async () => {
      const body = (await client.get('/api/profile/data')).body ?? {}
      expect(JSON.stringify(body)).not.toContain(foreign.email)
      return (body['events'] as { area: string; data: { email?: string } }[])
        .filter(({ area }) => area === 'enquiry')
        .map(({ data }) => data.email)
    }
    expect(await areas()).toEqual([mine.email])
    await side.accounts.signIn(userId, second.email, null, context())
    expect(await areas()).toEqual([mine.email, second.email])
  }, 60_000)
})
