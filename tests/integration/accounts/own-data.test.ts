import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { maxDataDownloads } from '#contracts/account'
import { eventsByCategory } from '#contracts/events/catalogue'
import { parseUserId, type UserId } from '#contracts/ids'
import { chain } from '#services/event-store/audit/hash-chain'
import { subjectOf } from '#services/foundation/stream-names'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { startAuthSide, type AuthSide } from '../../support/product/auth-side.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import { until } from '../../support/machine/until.ts'

interface OwnEvent {
  readonly what_happened: string
  readonly type: string
  readonly area: string
  readonly done_by: string
  readonly data: Record<string, unknown>
}

let side: AuthSide
beforeAll(async () => {
  side = await startAuthSide()
  await side.startProjectors()
}, 60_000)
afterAll(() => side?.close())

async function givenCustomer() {
  const email = `${randomUUID()}@example.com`
  const client = side.client()
  const userId = parseUserId(await client.signUp(email))
  const download = () => client.get('/api/profile/data')
  return { client, download, email, userId }
}

/** Appends one event of the category to the stream of this user. */
async function append(userId: UserId, category: string, type: string, data: object) {
  const stream = `${category}-${userId}`
  const id = randomUUID()
  const encoded = await side.codec.encode(stream, { id, type, data })
  const last = await side.watched.store.readLast(stream)
  const metadata = {
    correlationId: 'secret correlation',
    causationId: 'secret cause',
    actor: { kind: 'payment-provider', id: 'stripe' },
    occurredAt: '2026-03-03T09:12:00.000Z',
    recordedAt: new Date().toISOString(),
    schemaVersion: encoded.schemaVersion,
    source: 'webhook',
  } as const
  await side.watched.store.append(
    stream,
    last?.revision ?? 'no-stream',
    chain(stream, last ?? undefined, [{ id, type, data: encoded.data, metadata }], macKey),
  )
}

describe('the download of the own data', () => {
  it('is a readable JSON file with account, addresses, profile, sessions and events', async () => {
    const { download, email, userId } = await givenCustomer()
    const { status, headers, body } = await download()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename=my-data-\d{4}-\d\d-\d\d\.json$/,
    )
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({
      about: expect.stringContaining(
        'Your clients and invoices are not in it: export them from their lists under Receivables.',
      ) as unknown,
      account: { user_id: userId, email },
      addresses: [{ email, kind: 'primary' }],
      profile: { full_name: 'Dana Whitlock', address: '418 Orchard Lane, Suite 2' },
      sessions: [{ browser: 'unknown', is_this_browser: true }],
    })
    const events = body?.['events'] as OwnEvent[]
    expect(events.map(({ what_happened, done_by }) => [what_happened, done_by])).toEqual([
      [`The account was opened with the e-mail address ${email}.`, 'customer'],
      ['The company profile was completed, and the terms of 2025-05-16 were accepted.', 'customer'],
      [`A sign-in code was sent to ${email}.`, 'customer'],
      [`The e-mail address ${email} was verified with a code.`, 'customer'],
      [`A browser signed in with ${email}.`, 'customer'],
    ])
    expect(events[1]).toMatchObject({
      type: 'CompanyProfileCompleted',
      area: 'account',
      happened_at: expect.stringMatching(/Z$/) as unknown,
      recorded_at: expect.stringMatching(/Z$/) as unknown,
      data: { fullName: 'Dana Whitlock', supportPhone: '(218) 555-0147' },
    })
  }, 60_000)

  it('contains every event of every stream category of the customer, decrypted', async () => {
    const { download, email, userId } = await givenCustomer()
    // Their streams have another id than the user. A new category of users is not in this list.
    // What a merchant's clients owe is exported from the merchant's own lists.
    const ofClients = ['client', 'clientReminder', 'contactStop', 'import', 'receivable']
    const ofNoUser = new Set([
      'adminAccess',
      'administrators',
      'close',
      'email',
      'enquiry',
      'exportApproval',
      ...ofClients,
    ])
    const appended = Object.entries(eventsByCategory).flatMap(([category, events]) =>
      ofNoUser.has(category) ? [] : Object.keys(events).map((type) => ({ category, type })),
    )
    expect(new Set(appended.map(({ category }) => category)).size).toBeGreaterThanOrEqual(3)
    for (const { category } of appended) expect(subjectOf(`${category}-${userId}`, {})).toBe(userId)
    const samples: Readonly<Record<string, object>> = samplePayloads
    for (const { category, type } of appended)
      if (category !== 'account') await append(userId, category, type, samples[type] ?? {})
    const body = (await download()).body ?? {}
    const events = body['events'] as OwnEvent[]
    const ofAccount = ['AccountOpened', 'CompanyProfileCompleted', 'EmailVerified']
    expect(new Set(events.map(({ type }) => type))).toEqual(
      new Set([
        ...ofAccount,
        ...appended.flatMap(({ category, type }) => (category === 'account' ? [] : [type])),
      ]),
    )
    expect(events.find(({ type }) => type === 'PaymentSucceeded')).toMatchObject({
      done_by: 'payment provider',
      what_happened: expect.stringMatching(
        /^An invoice of \$\d+\.\d\d for Monthly Plan was paid: Visa ending 4242\.$/,
      ) as unknown,
      data: { customerName: 'Dana Whitlock' },
    })
    const text = JSON.stringify(body)
    expect(text).toContain(email)
    expect(text).not.toMatch(
      /previousHash|"mac"|\$enc|secret correlation|secret cause|handle|"sid"/,
    )
  }, 60_000)

  it('contains the secondary address', async () => {
    const { client, download, userId } = await givenCustomer()
    const second = `${randomUUID()}@example.com`
    await side.accounts.setSecondaryEmail(userId, second, {
      commandId: randomUUID(),
      correlationId: 'test',
      actor: { kind: 'admin', id: 'adm_1' },
      source: 'api',
    })
    await until(
      async () => (await client.get('/api/profile')).body?.['secondary_email'] === second,
      'the profile lacks the address',
    )
    expect((await download()).body).toMatchObject({
      addresses: [{ kind: 'primary' }, { email: second, kind: 'secondary' }],
      events: expect.arrayContaining([
        expect.objectContaining({
          what_happened: `The secondary e-mail address ${second} was added.`,
          done_by: 'administrator',
        }),
      ]) as unknown,
    })
  }, 60_000)

  it('contains nothing of another customer', async () => {
    const [dana, rosa] = [await givenCustomer(), await givenCustomer()]
    const text = JSON.stringify((await dana.download()).body)
    expect(text).not.toContain(rosa.email)
    expect(text).not.toContain(rosa.userId)
  }, 60_000)

  it(`is refused after ${maxDataDownloads} downloads in an hour, for this account only`, async () => {
    const { download } = await givenCustomer()
    for (let n = 0; n < maxDataDownloads; n += 1) expect((await download()).status).toBe(200)
    const refused = await download()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
    expect((await (await givenCustomer()).download()).status).toBe(200)
  }, 60_000)

  it('is not counted for HEAD', async () => {
    const { client, download } = await givenCustomer()
    for (let n = 0; n <= maxDataDownloads; n += 1)
      expect((await client.send('HEAD', '/api/profile/data')).status).toBe(200)
    expect((await download()).status).toBe(200)
  }, 60_000)

  it('needs a session', async () => {
    expect((await side.client().get('/api/profile/data')).status).toBe(401)
  })
})
