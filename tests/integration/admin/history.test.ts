import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { HistoryPage } from '#contracts/admin/history'
import type { DomainEvent } from '#contracts/events/catalogue'
import { lastSignIns } from '#projections/history/queries/actors'
import { categoryOfType } from '../../support/data/category-of-type.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { profile } from '../../support/data/events.ts'
import { breakEvent } from '../../support/event-store/break-event.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { startHistorySide, type GivenEvent } from '../../support/product/history-side.ts'

let side: Awaited<ReturnType<typeof startHistorySide>>
beforeAll(async () => {
  side = await startHistorySide({ administratorNames: new Map([['adm_2', 'Ada Lind']]) })
}, 60_000)
afterAll(() => side.close())

const at = (minute: number) => new Date(Date.UTC(2026, 2, 3, 9, minute)).toISOString()
const admin = (id: string) => ({ kind: 'admin', id }) as const

let count = 0
/** An account of a new user, opened in minute 0. */
function newUser(): { id: string; email: string; opened: GivenEvent } {
  count += 1
  const [id, email] = [`usr_${count}`, `user${count}@example.com`]
  return { id, email, opened: of(id, 'AccountOpened', 0, { userId: id, email }) }
}

/** An event of a user, in the minute of an hour. */
function of<Type extends DomainEvent['type']>(
  userId: string,
  type: Type,
  minute: number,
  data: object = samplePayloads[type],
): GivenEvent {
  return {
    stream: `${categoryOfType(type)}-${userId}`,
    type,
    data,
    occurredAt: at(minute),
  } as GivenEvent
}

/** Every page of a list, by its cursors. */
async function allPages(path: string, between = async () => {}) {
  const items: HistoryPage['items'] = []
  for (let next: string | null = ''; next !== null;) {
    const separator = path.includes('?') ? '&' : '?'
    const page: HistoryPage = await side.page(
      next === '' ? path : `${path}${separator}after=${next}`,
    )
    items.push(...page.items)
    next = page.next
    await between()
  }
  return items
}

describe('the history of a user', () => {
  it('says each event in words, with its mark, money, times and actor', async () => {
    const { id, email, opened } = newUser()
    await side.given(
      opened,
      of(id, 'PaymentSucceeded', 1),
      of(id, 'RefundRecorded', 2),
      of(id, 'PaymentFailed', 3),
      of(id, 'DisputeOpened', 4),
    )
    const { items, total, totalIsExact, next, user, days } = await side.history(id)
    expect(items.map(({ title, mark, amount }) => [title, mark, amount])).toEqual([
      ['Dispute opened', 'returned', -39],
      ['Payment failed', 'failed', 39],
      ['Refund recorded', 'returned', null],
      ['Payment succeeded', 'paid', 39],
      ['Account opened', 'other', null],
    ])
    expect(items[3]).toEqual({
      id: expect.any(String),
      stream: `billing-${id}`,
      revision: 0,
      type: 'PaymentSucceeded',
      kind: 'billing',
      mark: 'paid',
      title: 'Payment succeeded',
      sentence: 'An invoice of $39.00 for Monthly Plan was paid: Visa ending 4242.',
      amount: 39,
      currency: 'usd',
      occurred_at: at(1),
      recorded_at: at(1),
      actor: { kind: 'system', id: 'test', name: 'system' },
      user_id: id,
      user_email: email,
    })
    expect({ total, totalIsExact, next }).toEqual({ total: 5, totalIsExact: true, next: null })
    expect(user).toMatchObject({ user_id: id, email, user_type: 4 })
    expect(Object.fromEntries(days.map(({ mark, count: events }) => [mark, events]))).toEqual({
      other: 1,
      paid: 1,
      returned: 2,
      failed: 1,
    })
    expect(new Set(days.map(({ day }) => day))).toEqual(new Set(['2026-03-03']))
  })

  it('has each event exactly once over its pages, also while events arrive', async () => {
    const { id, opened } = newUser()
    const others = newUser()
    await side.given(opened, others.opened)
    // Many events share one instant: the order is total all the same.
    await side.given(
      ...Array.from({ length: 25 }, (_, index) => of(id, 'ProfileUpdated', 1 + (index % 3))),
    )
    const path = `/api/admin/users/${id}/history`
    const whole = (await side.history(id, '?limit=200')).items.map((item) => item.id)
    expect(new Set(whole).size).toBe(26)
    for (const limit of [1, 7, 26])
      expect((await allPages(`${path}?limit=${limit}`)).map((item) => item.id)).toEqual(whole)

    let minute = 30
    const seen = await allPages(`${path}?limit=4`, () =>
      side.given(of(id, 'ProfileUpdated', (minute += 1)), of(others.id, 'ProfileUpdated', 2)),
    )
    expect(seen.map((item) => item.id)).toEqual(whole)
  })

  it('has the events of one kind, and those of administrators by their actor', async () => {
    const { id, opened } = newUser()
    await side.given(
      opened,
      of(id, 'PaymentSucceeded', 1),
      { ...of(id, 'AccountBlocked', 2), actor: admin('adm_1') },
      { ...of(id, 'AccountUnblocked', 3), actor: admin('adm_2') },
      { stream: `signIn-${id}`, occurredAt: at(4), type: 'SignedOut', data: {} },
    )
    const titles = async (kind: string) => {
      const { items, total } = await side.history(id, `?kind=${kind}`)
      expect(total).toBe(items.length)
      return items.map(({ title }) => title)
    }
    expect(await titles('billing')).toEqual(['Payment succeeded'])
    expect(await titles('account')).toEqual([
      'Signed out',
      'Account unblocked',
      'Account blocked',
      'Account opened',
    ])
    expect(await titles('admin')).toEqual(['Account unblocked', 'Account blocked'])
    expect(await titles('messages')).toEqual([])
    const actors = (await side.history(id, '?kind=admin')).items.map(({ actor }) => actor)
    expect(actors).toEqual([
      { kind: 'admin', id: 'adm_2', name: 'Ada Lind' },
      { kind: 'admin', id: 'adm_1', name: 'administrator' },
    ])
    expect((await side.history(id, '?kind=admin')).days).toHaveLength(2)
  })

  it('shows the account as it was, with the events up to the instant, the last included', async () => {
    const { id, email, opened } = newUser()
    await side.given(
      opened,
      of(id, 'CompanyProfileCompleted', 1),
      of(id, 'PaymentSucceeded', 2),
      of(id, 'AccountBlocked', 3),
    )
    const asOf = (instant: string, more = '') => side.history(id, `?asOf=${instant}${more}`)
    expect(await asOf('2026-03-03T08:59:59.999Z')).toMatchObject({
      items: [],
      total: 0,
      days: [],
      user: null,
    })
    expect(await asOf('0000-01-01T00:00:00.000Z')).toMatchObject({ items: [], user: null })
    const before = await asOf('2026-03-03T09:01:59.999Z')
    expect(before.items.map(({ title }) => title)).toEqual([
      'Company profile completed',
      'Account opened',
    ])
    expect(before.user).toMatchObject({ email, user_type: 2, blocked: false, total_spent: 0 })
    const paid = await asOf(at(2))
    expect(paid.user).toMatchObject({ user_type: 4, blocked: false, total_spent: 39 })
    expect(paid).toMatchObject({ total: 3, items: [{ title: 'Payment succeeded' }, {}, {}] })
    expect(paid.days.map(({ count: events }) => events)).toEqual([2, 1])
    const { user } = await side.history(id)
    expect(user).toMatchObject({ blocked: true, company_name: profile.companyName })
    // The counts of clients are known only of now.
    const unknown = { clients: null, total_active_accounts: null, open_receivables: null }
    expect((await asOf(new Date().toISOString())).user).toEqual({ ...user, ...unknown })
    expect((await asOf(at(2), '&kind=account&limit=1')).next).not.toBeNull()
  })

  it('shows an event that is recorded after the account was shown as of a later instant', async () => {
    const { id, opened } = newUser()
    const spentAsOf = async (minute: number) =>
      (await side.history(id, `?asOf=${at(minute)}`)).user?.total_spent
    const payment = (paymentId: string, minute: number) =>
      of(id, 'PaymentSucceeded', minute, {
        ...samplePayloads.PaymentSucceeded,
        paymentId,
        invoiceRef: `stripe:in_${paymentId}`,
      })
    await side.given(opened, payment('first', 5))
    expect([await spentAsOf(9), await spentAsOf(4), await spentAsOf(9)]).toEqual([39, 0, 39])
    await side.given(payment('second', 3), payment('third', 8))
    expect([await spentAsOf(9), await spentAsOf(4), await spentAsOf(9)]).toEqual([117, 39, 117])
  })

  it('of an erased person has every event, without the personal data', async () => {
    const { id, email, opened } = newUser()
    await side.given(opened, of(id, 'CompanyProfileCompleted', 1), of(id, 'PersonalDataErased', 2))
    await side.keys.erase(id)
    for (const query of ['', `?asOf=${at(1)}`]) {
      const answer = await side.history(id, query)
      expect(answer.user).toMatchObject({ email: '[erased]' })
      expect(answer.items.at(-1)).toMatchObject({ title: 'Account opened', user_email: '[erased]' })
      expect(JSON.stringify(answer)).not.toContain(email)
    }
  })

  it('has the claims of the addresses of the account', async () => {
    const { id, opened } = newUser()
    const stream = `email-${'c'.repeat(64)}`
    await side.given(opened, {
      stream,
      occurredAt: at(1),
      type: 'EmailClaimed',
      data: { userId: id },
    })
    expect((await side.history(id)).items[0]).toMatchObject({ stream, user_id: id })
  })

  it('has the enquiries of each address that the account has or had', async () => {
    const { id, email, opened } = newUser()
    const other = newUser()
    const [hmac, enquiryId] = ['d'.repeat(64), 'enq_1']
    const claimed = (userId: string, minute: number): GivenEvent => ({
      stream: `email-${hmac}`,
      occurredAt: at(minute),
      type: 'EmailClaimed',
      data: { userId },
    })
    const enquiry = (type: 'EnquirySubmitted' | 'EnquiryStatusChanged', minute: number) =>
      ({
        stream: `enquiry-${enquiryId}`,
        occurredAt: at(minute),
        type,
        data: {
          ...samplePayloads[type],
          ...(type === 'EnquirySubmitted' && { addressHmac: hmac }),
        },
      }) as GivenEvent
    await side.given(enquiry('EnquirySubmitted', -5), opened, claimed(id, 1))
    await side.given(enquiry('EnquiryStatusChanged', 5), other.opened, claimed(other.id, 6))
    const shown = async (userId: string) =>
      (await side.history(userId, '?kind=enquiries')).items.map((item) => [
        item.type,
        item.user_id,
        item.user_email,
      ])
    expect(await shown(id)).toEqual([
      ['EnquiryStatusChanged', id, email],
      ['EnquirySubmitted', id, email],
    ])
    expect((await shown(other.id)).map(([type]) => type)).toEqual([
      'EnquiryStatusChanged',
      'EnquirySubmitted',
    ])
    expect((await side.history(id)).items.at(-1)?.type).toBe('EnquirySubmitted')
    // Elsewhere the enquiry is that of the last account of the address.
    expect((await side.raw(`enquiry-${enquiryId}`, 1)).event.user_id).toBe(other.id)
  })

  it.each([
    ['after=x', 'after'],
    [`after=${Buffer.from('7 account-usr_404').toString('base64url')}`, 'after'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['asOf=yesterday', 'asOf'],
    ['asOf=2026-03-03', 'asOf'],
    ['kind=everything', 'kind'],
  ])('refuses %s and names the field', async (query, field) => {
    const { id, opened } = newUser()
    await side.given(opened)
    const { status, body } = await side.client.get(`/api/admin/users/${id}/history?${query}`)
    expect({ status, field: body?.['field'] }).toEqual({ status: 400, field })
  })

  it.each(['usr_404', 'not an id', '__proto__'])('does not exist for the user %j', async (id) => {
    const path = `/api/admin/users/${encodeURIComponent(id)}/history`
    expect((await side.client.get(path)).status).toBe(404)
    expect((await side.client.get(`${path}?asOf=${at(0)}`)).status).toBe(404)
  })

  it('is for administrators', async () => {
    for (const path of ['users/usr_1/history', 'events?total=paying', 'activity', 'events/a-b/0'])
      expect((await side.visitor().get(`/api/admin/${path}`)).status).toBe(401)
  })
})

describe('the events of a total', () => {
  it('are those of its types, of all users, newest first', async () => {
    const [one, two] = [newUser(), newUser()]
    await side.given(
      one.opened,
      two.opened,
      of(one.id, 'RefundRecorded', 50),
      of(two.id, 'RefundStatusOverridden', 51),
      of(one.id, 'RefundStatusChanged', 52),
    )
    const { items, total } = await side.page('/api/admin/events?total=refunds&limit=3')
    expect(items.map(({ type, user_email }) => [type, user_email])).toEqual([
      ['RefundStatusChanged', one.email],
      ['RefundStatusOverridden', two.email],
      ['RefundRecorded', one.email],
    ])
    const all = await allPages('/api/admin/events?total=refunds&limit=2')
    expect(all).toHaveLength(total)
    expect(new Set(all.map(({ id }) => id)).size).toBe(total)
    expect((await side.client.get('/api/admin/events?total=everything')).status).toBe(400)
  })
})

describe('the activity of administrators', () => {
  it('has their changes, their sign-ins and refused sign-ins, by kind', async () => {
    const { id, email, opened } = newUser()
    const stream = 'adminAccess-2026-03'
    await side.given(
      opened,
      {
        stream,
        occurredAt: at(55),
        type: 'AdminSignInRefused',
        data: { reason: 'wrong-password' },
        actor: admin('unknown'),
      },
      {
        stream,
        occurredAt: at(56),
        type: 'AdminSignedIn',
        data: { adminId: 'adm_9', by: 'shared-password' },
        actor: admin('adm_9'),
      },
      { ...of(id, 'AccountBlocked', 57), actor: admin('adm_9') },
      of(id, 'AccountUnblocked', 58),
    )
    const recent = async (kind: string) =>
      (await side.page(`/api/admin/activity?kind=${kind}&limit=3`)).items
        .filter(({ occurred_at }) => occurred_at >= at(55))
        .map(({ type, user_email }) => [type, user_email])
    expect(await recent('sign-ins')).toEqual([
      ['AdminSignedIn', null],
      ['AdminSignInRefused', null],
    ])
    expect(await recent('changes')).toEqual([['AccountBlocked', email]])
    expect(await recent('exports')).toEqual([])
    expect((await recent('all')).map(([type]) => type)).toEqual([
      'AccountBlocked',
      'AdminSignedIn',
      'AdminSignInRefused',
    ])
  })

  it('is that of one person, or of the shared password, on the days of the filter', async () => {
    const { id, opened } = newUser()
    const onDay = (day: string, minute: number) => at(minute).replace('2026-03-03', day)
    const block = (day: string, minute: number, actor: string) => ({
      ...of(id, minute % 2 === 0 ? 'AccountBlocked' : 'AccountUnblocked', minute),
      occurredAt: onDay(day, minute),
      actor: admin(actor),
    })
    await side.given(
      opened,
      block('2026-04-01', 10, 'adm_2'),
      block('2026-04-02', 11, 'adm_2'),
      block('2026-04-02', 12, 'adm_unnamed'),
      { ...of(id, 'AccountUnblocked', 13), occurredAt: onDay('2026-04-02', 13) },
    )
    const april = '&from=2026-04-01&to=2026-04-30'
    for (const path of ['/api/admin/activity?limit=9', `/api/admin/users/${id}/history?limit=9`]) {
      const shown = async (query: string) => {
        const { items, total } = await side.page(path + query)
        expect(total).toBe(items.length)
        return items.map(({ occurred_at }) => occurred_at.slice(8, 16))
      }
      expect(await shown(`&person=adm_2${april}`)).toEqual(['02T09:11', '01T09:10'])
      expect(await shown('&person=adm_2&from=2026-04-02&to=2026-04-02')).toEqual(['02T09:11'])
      expect(await shown(`&person=shared${april}`)).toEqual(['02T09:12'])
      expect(await shown(`&person=adm_nobody${april}`)).toEqual([])
      expect((await side.page(path)).people).toEqual([{ id: 'adm_2', name: 'Ada Lind' }])
    }
  })

  it('has the last sign-in of each administrator', async () => {
    const signIn = (minute: number, adminId: string) =>
      ({
        stream: 'adminAccess-2026-05',
        occurredAt: at(minute).replace('2026-03', '2026-05'),
        type: 'AdminSignedIn',
        data: { adminId, by: 'code' },
        actor: admin(adminId),
      }) as const
    await side.given(signIn(1, 'adm_3'), signIn(2, 'adm_4'), signIn(3, 'adm_3'))
    expect(await lastSignIns(side.pool, ['adm_3', 'adm_4', 'adm_5'])).toEqual(
      new Map([
        ['adm_3', '2026-05-03T09:03:00.000Z'],
        ['adm_4', '2026-05-03T09:02:00.000Z'],
      ]),
    )
  })
})

describe('an event as the log holds it', () => {
  it('has its payload, its hashes, and what it changed', async () => {
    const { id, email, opened } = newUser()
    await side.given(
      opened,
      of(id, 'CompanyProfileCompleted', 1),
      of(id, 'AccountBlocked', 2),
      of(id, 'ProfileUpdated', 3, { ...profile, city: 'Saint Paul', websiteUrl: undefined }),
    )
    const first = await side.raw(`account-${id}`, 0)
    expect(first).toMatchObject({
      event: { title: 'Account opened', user_id: id, user_email: email },
      data: { userId: id, email },
      metadata: { occurredAt: at(0), previousHash: null },
      schema_version: 1,
      previous_hash: null,
      chain_is_intact: true,
    })
    const last = await side.raw(`account-${id}`, 3)
    expect(last.changes).toEqual([
      { field: 'Website', before: profile.websiteUrl, after: null },
      { field: 'City', before: 'Duluth', after: 'Saint Paul' },
    ])
    expect(last.previous_hash).toBe((await side.raw(`account-${id}`, 2)).hash)
    expect(last.chain_is_intact).toBe(true)
    expect((await side.raw(`account-${id}`, 2)).changes).toEqual([
      { field: 'Account', before: 'Active', after: 'Blocked' },
    ])
  })

  it('finds the value before among the events of the same subscription', async () => {
    const { id, opened } = newUser()
    const period = (subscriptionId: string, currentPeriodEnd: string) => ({
      subscriptionId,
      currentPeriodStart: at(0),
      currentPeriodEnd,
    })
    await side.given(
      opened,
      of(id, 'SubscriptionStarted', 1),
      of(id, 'SubscriptionStarted', 1, {
        ...samplePayloads.SubscriptionStarted,
        subscriptionId: 'subscription_2',
      }),
      of(id, 'SubscriptionRenewed', 2, period('subscription_2', '2027-01-01T00:00:00.000Z')),
      of(id, 'SubscriptionRenewed', 3, period('subscription_1', '2026-05-03T09:12:00.000Z')),
    )
    expect((await side.raw(`billing-${id}`, 3)).changes).toEqual([
      { field: 'Paid period ends', before: 'Apr 3, 2026', after: 'May 3, 2026' },
    ])
  })

  it('shows that the chain is broken after its predecessor was changed', async () => {
    const { id, opened } = newUser()
    await side.given(opened, of(id, 'AccountBlocked', 1), of(id, 'AccountUnblocked', 2))
    await tamper(
      side.pool,
      `UPDATE log.event SET metadata = jsonb_set(metadata::jsonb, '{occurredAt}', '"2026-01-01T00:00:00.000Z"')::json WHERE stream = $1 AND revision = 1`,
      [`account-${id}`],
    )
    const intact = async (revision: number) =>
      (await side.raw(`account-${id}`, revision)).chain_is_intact
    expect([await intact(0), await intact(1), await intact(2)]).toEqual([true, true, false])
  })

  it('that is damaged is shown in its place with the reason, and the others of its user as ever', async () => {
    const { id, opened } = newUser()
    await side.given(opened, of(id, 'PaymentSucceeded', 1))
    const whole = await side.history(id)
    const mend = await breakEvent(side, `billing-${id}`, 0)
    const sentence: unknown = expect.stringMatching(
      new RegExp(`^Event .* \\(PaymentSucceeded, revision 0 of 'billing-${id}'\\) cannot be read:`),
    )
    for (const path of [`events/billing-${id}/0`, `users/${id}/history?asOf=${at(1)}`])
      expect(await side.client.get(`/api/admin/${path}`)).toMatchObject({
        status: 409,
        body: { error: sentence },
      })
    const damaged = await side.history(id)
    expect(damaged.items[1]).toEqual(whole.items[1])
    expect(damaged.items[0]).toEqual({
      ...whole.items[0],
      title: 'Damaged event',
      sentence,
      mark: 'other',
      amount: null,
      currency: null,
      actor: { ...whole.items[0]?.actor, id: 'unknown' },
    })
    await mend()
    expect(await side.history(id)).toEqual(whole)
  })

  it.each([
    ['account-usr_404/0', 404],
    ['$streams/0', 404],
    ['__proto__/0', 404],
    ['account-usr_1/-1', 400],
    ['account-usr_1/9999999999', 400],
    ['account-usr_1/first', 400],
  ])('at %s answers %i', async (place, status) => {
    expect((await side.client.get(`/api/admin/events/${place}`)).status).toBe(status)
  })
})
