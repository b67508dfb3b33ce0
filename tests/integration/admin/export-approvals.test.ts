import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { refusedRight, type AdminRole } from '#contracts/admin/roles'
import { testContext } from '../../support/data/test-context.ts'
import { until } from '../../support/machine/until.ts'
import { startAppSide, type AppSide } from '../../support/product/app-side.ts'

let side: AppSide
/** Alone, an administrator exports two records in 24 hours. */
const max = 2
const customers = 3

beforeAll(async () => {
  side = await startAppSide({ SECOND_PERSON_EXPORT_ABOVE: String(max) })
  for (let count = 0; count < customers; count++) await side.newCustomer()
}, 120_000)
afterAll(() => side?.close())

type Client = Awaited<ReturnType<AppSide['signedInAdmin']>>
const operator = { kind: 'operator' } as const

async function named(who: string, role: AdminRole): Promise<Client> {
  const email = `${who}@agilereceivables.example`
  const person = { adminId: `adm_${who}`, name: `Name of ${who}`, email, role }
  const command = { type: 'add-administrator', person, by: operator } as const
  expect(await side.administrators.change(command, testContext())).toBeNull()
  return side.signedInAdmin(`adm_${who}`)
}

async function listed(client: Client): Promise<readonly { readonly email: string }[]> {
  let users: readonly { readonly email: string }[] = []
  await until(async () => {
    const { body } = await client.get('/api/admin/users')
    users = (body?.['items'] ?? []) as typeof users
    return users.length === customers
  }, 'the list of users is not complete')
  return users
}

const fetched = (client: Client, path: string) =>
  fetch(side.publicUrl + path, {
    headers: { cookie: client.cookieHeader(), 'x-requested-with': 'fetch' },
  })
const exportUsers = (client: Client, query = '', format = 'csv') =>
  client.get(`/api/admin/users/export?format=${format}${query}`)
const propose = (client: Client, changes: object = {}) =>
  client.post('/api/admin/export-proposals', {
    request_id: randomUUID(),
    list: 'users',
    format: 'csv',
    query: { sort: 'email', order: 'asc' },
    reason: 'For the auditor.',
    ...changes,
  })
async function proposalsOf(client: Client): Promise<readonly ExportProposalItem[]> {
  const { body } = await client.get('/api/admin/export-proposals')
  return (body?.['items'] ?? []) as readonly ExportProposalItem[]
}
const decide = (client: Client, { proposed_by, id }: ExportProposalItem, body: object) =>
  client.post(`/api/admin/export-proposals/${proposed_by.id}/${id}/decision`, body)
async function proposed(client: Client, changes: object = {}): Promise<ExportProposalItem> {
  const { body } = await propose(client, changes)
  expect(body).toMatchObject({ status: 'waiting' })
  const found = (await proposalsOf(client)).find(({ id }) => id === body?.['id'])
  if (found === undefined) throw new Error('The proposal is not listed.')
  return found
}
const exportEvents = async () =>
  (await side.eventsAfter(null))
    .filter(({ type }) => type.includes('Export'))
    .map(({ type, metadata: { actor } }) => [type, actor.id])

/** So many of the answers are files. The others are refused, some as too many at once. */
function expectAllowed(answers: readonly Response[], allowed: number): void {
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
  expect(statuses.slice(0, allowed)).toEqual(Array(allowed).fill(200))
  for (const status of statuses.slice(allowed)) expect([409, 429]).toContain(status)
  expect(statuses).toContain(409)
}

describe('an export above SECOND_PERSON_EXPORT_ABOVE', () => {
  it('is refused before two named administrators may export', async () => {
    const shared = await side.admin()
    await listed(shared)
    expect(await exportUsers(shared)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('needs two named administrators') },
    })
    const ada = await named('ada', 'owner')
    const alone = await exportUsers(ada)
    expect(alone).toMatchObject({ status: 409 })
    expect(alone.body).not.toHaveProperty('field')
    expect(await propose(ada)).toMatchObject({ status: 409 })
    expect(await exportEvents()).toEqual([])
  })

  it('is proposed by one, approved by another one, and downloaded once by the first', async () => {
    const bo = await named('bo', 'finance')
    const ada = await side.signedInAdmin('adm_ada')
    const refused = await exportUsers(bo)
    expect(refused).toMatchObject({
      status: 409,
      body: { field: 'second_person', error: expect.stringContaining('has 3 records') },
    })
    const proposal = await proposed(bo)
    expect(proposal).toMatchObject({
      list: 'users',
      records: customers,
      reason: 'For the auditor.',
      status: 'waiting',
      proposed_by: { id: 'adm_bo', name: 'Name of bo' },
    })
    const file = `/api/admin/export-proposals/${proposal.id}/file`
    expect(await bo.get(file)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('No other administrator has approved') },
    })
    expect(await decide(bo, proposal, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('You proposed this export') },
    })
    expect(await decide(ada, proposal, { decision: 'approve' })).toMatchObject({
      status: 200,
      body: { status: 'approved' },
    })
    expect(await ada.get(file)).toMatchObject({ status: 404 })
    expect(await proposalsOf(ada)).toEqual([])
    expect(await proposalsOf(bo)).toMatchObject([
      { status: 'approved', approved_by: 'Name of ada' },
    ])

    const users = await listed(bo)
    const response = await fetched(bo, file)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-disposition')).toContain('Users_')
    const text = await response.text()
    for (const { email } of users) expect(text).toContain(email)
    expect(await bo.get(file)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('was approved and downloaded before') },
    })
    expect(await proposalsOf(bo)).toEqual([])
    expect(await exportEvents()).toEqual([
      ['ExportProposed', 'adm_bo'],
      ['ExportProposalApproved', 'adm_ada'],
      ['ApprovedExportTaken', 'export approvals'],
      ['DataExported', 'adm_bo'],
    ])
  })

  it('is downloaded once, also if 8 downloads are at once', async () => {
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const proposal = await proposed(bo)
    await decide(ada, proposal, { decision: 'approve' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        fetched(bo, `/api/admin/export-proposals/${proposal.id}/file`),
      ),
    )
    expectAllowed(answers, 1)
  })

  it('is declined or withdrawn once, and then not approved or downloaded', async () => {
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const one = await proposed(bo)
    expect(await decide(ada, one, { decision: 'decline' })).toMatchObject({ status: 400 })
    expect(await decide(ada, one, { decision: 'decline', why: 'Not now.' })).toMatchObject({
      body: { status: 'declined' },
    })
    expect(await decide(ada, one, { decision: 'approve' })).toMatchObject({ status: 409 })
    expect(await bo.get(`/api/admin/export-proposals/${one.id}/file`)).toMatchObject({
      status: 409,
    })
    const two = await proposed(bo)
    expect(await decide(ada, two, { decision: 'withdraw' })).toMatchObject({ status: 409 })
    expect(await decide(bo, two, { decision: 'withdraw' })).toMatchObject({
      body: { status: 'withdrawn' },
    })
    expect(await decide(ada, two, { decision: 'approve' })).toMatchObject({ status: 409 })
  })

  it('has no search, and only parameters of the list', async () => {
    const bo = await side.signedInAdmin('adm_bo')
    expect(await exportUsers(bo, '&search=dana')).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('Clear the search') },
    })
    expect(await propose(bo, { query: { search: 'dana' } })).toMatchObject({ status: 409 })
    expect(await propose(bo, { query: { status: 'unknown' } })).toMatchObject({ status: 400 })
    expect(await propose(bo, { query: { page: '2' } })).toMatchObject({
      status: 400,
      body: { error: 'Page is not known here.' },
    })
    expect(await propose(bo, { query: { status: 'blocked' } })).toMatchObject({ status: 404 })
    const log = JSON.stringify((await side.eventsAfter(null)).map(({ data }) => data))
    expect(log).not.toContain('"search"')
  })

  it('is neither listed nor approved if the one who proposed it may not export any more', async () => {
    const fay = await named('fay', 'finance')
    const ada = await side.signedInAdmin('adm_ada')
    const ofFay = await proposed(fay)
    const isListed = async () => {
      const { body } = await ada.get('/api/admin/export-proposals')
      return JSON.stringify(body).includes(ofFay.id)
    }
    expect(await isListed()).toBe(true)
    const change = { type: 'change-role', adminId: 'adm_fay', to: 'reader', by: operator } as const
    expect(await side.administrators.change(change, testContext())).toBeNull()
    expect(await isListed()).toBe(false)
    expect(await decide(ada, ofFay, { decision: 'approve' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('may not do so any more') },
    })
  })

  it('is not approved or downloaded by a person whose role was changed', async () => {
    const cleo = await named('cleo', 'finance')
    const [ada, bo] = [await side.signedInAdmin('adm_ada'), await side.signedInAdmin('adm_bo')]
    const ofBo = await proposed(bo)
    const ofCleo = await proposed(cleo)
    await decide(ada, ofCleo, { decision: 'approve' })
    const change = { type: 'change-role', adminId: 'adm_cleo', to: 'support' } as const
    await side.administrators.change({ ...change, by: operator }, testContext())
    const no = { status: 403, body: { error: refusedRight('support', 'export') } }
    expect(await decide(cleo, ofBo, { decision: 'approve' })).toMatchObject(no)
    expect(await cleo.get(`/api/admin/export-proposals/${ofCleo.id}/file`)).toMatchObject(no)
  })
})

describe('exports of one administrator alone', () => {
  it('count together for 24 hours, so that parts of a list do not evade the rule', async () => {
    const dan = await named('dan', 'finance')
    const users = await listed(dan)
    const exportOne = (index: number, format = 'csv') =>
      exportUsers(dan, `&search=${users[index]?.email}`, format)
    expect((await exportOne(0)).status).toBe(200)
    expect((await exportOne(1, 'xlsx')).status).toBe(200)
    expect(await exportOne(2)).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('you have exported 2 of them') },
    })
  })

  it('of parts at once do not exceed the number', async () => {
    const eve = await named('eve', 'finance')
    const users = await listed(eve)
    const answers = await Promise.all(
      [0, 1, 2, 0, 1, 2].map((index) =>
        fetched(eve, `/api/admin/users/export?format=csv&search=${users[index]?.email}`),
      ),
    )
    expectAllowed(answers, max)
  })
})
