import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { parseUserId, type ClientId } from '#contracts/ids'
import type { EventStore } from '#services/event-store/event-store'
import { clientStream } from '#services/foundation/stream-names'
import { createPortalTokens } from '#services/receivables/portal/portal-tokens'
import { tagOfMailbox } from '#services/receivables/portal/unsubscribe-link'
import { clientIdOf } from '#services/receivables/receivable-id'
import type { Receivables } from '#services/receivables/receivables-service'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import { testContext } from '../../support/data/test-context.ts'
import {
  openMerchant,
  portalTokens as tokens,
  startPortalSide,
  type PortalSide,
} from '../../support/receivables/portal-side.ts'

/* The client portal over HTTP, on a real log. */

const merchantId = parseUserId('usr_alder')

let side: PortalSide
let merchant: PortalSide['merchant']
let time: PortalSide['time']
let store: EventStore
let receivables: Receivables
let stops: ContactStops
let url: string
let clientId: ClientId
let token: string

beforeAll(async () => {
  side = await startPortalSide()
  ;({ merchant, time, store, receivables, stops, url } = side)
}, 60_000)
afterAll(() => side?.close())

beforeEach(async () => {
  merchant.now = openMerchant
  clientId = clientIdOf(randomUUID())
  token = tokens.tokenOf(clientId, 0)
  const details = {
    name: 'Grace <b>Whitaker</b>',
    number: null,
    email: 'g.whitaker@postbox.example',
    phone: '(541) 555-0139',
    state: null,
    timeZone: null,
    note: null,
  }
  await act({ type: 'add-client', clientId, details })
})

const act = (command: Parameters<Receivables['actOnClient']>[2]) =>
  receivables.actOnClient(merchantId, clientId, command, testContext())
const get: PortalSide['get'] = (...of) => side.get(...of)
const post: PortalSide['post'] = (...of) => side.post(...of)
const typesOf = async () =>
  (await store.readStream(clientStream(clientId))).map(({ type }) => type).slice(1)
const stopped = () =>
  stops.stopsOf(merchantId, { email: 'g.whitaker@postbox.example', phone: '(541) 555-0139' })

describe('the portal', () => {
  it('is a page without a script of its own, for one reader, and tells no other site of itself', async () => {
    const page = await get(`/pay/${token}`)
    const html = await page.text()
    expect(page.status).toBe(200)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(html).toContain('Grace &lt;b&gt;Whitaker&lt;/b&gt;')
    expect(html).toContain('Alder &lt;Dental&gt;')
    expect(html).not.toMatch(/<script| style="|<b>Whitaker/)
    expect(page.headers.get('set-cookie')).toBeNull()
  })

  it('answers every link that leads nowhere with one page, in about the same time', async () => {
    const other = clientIdOf(randomUUID())
    await act({ type: 'revoke-portal-link', generation: 0 })
    const bad = [
      token,
      tokens.tokenOf(other, 0),
      createPortalTokens([Buffer.alloc(32, 2)]).tokenOf(clientId, 1),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      'nonsense',
      '%E0%A4%A',
    ]
    const answers = []
    for (const each of bad) {
      const began = performance.now()
      const page = await get(`/pay/${each}`)
      answers.push({ status: page.status, html: await page.text(), ms: performance.now() - began })
    }
    const [first] = answers
    for (const { status, html, ms } of answers.slice(0, 5)) {
      expect([status, html]).toEqual([404, first?.html])
      expect(ms).toBeGreaterThanOrEqual(195)
    }
    expect(first?.html).not.toMatch(/Alder|Grace|Whitaker/)
    expect((await get(`/pay/${tokens.tokenOf(clientId, 1)}`)).status).toBe(200)
  })

  it('of an erased client or merchant leads nowhere, and that of a blocked merchant is closed', async () => {
    merchant.now = { ...openMerchant, isBlocked: true }
    const closed = await get(`/pay/${token}`)
    const html = await closed.text()
    expect([closed.status, html]).toEqual([403, expect.stringContaining('This page is closed')])
    expect(html).not.toMatch(/Alder|Grace/)
    merchant.now = { ...openMerchant, isErased: true }
    expect((await get(`/pay/${token}`)).status).toBe(404)
    merchant.now = openMerchant
    await act({ type: 'erase-client' })
    expect((await get(`/pay/${token}`)).status).toBe(404)
    expect((await post(`/pay/${token}/opened`, {})).status).toBe(404)
  })

  it('does not write its token into the log when it fails', async () => {
    merchant.now = { ...openMerchant, companyName: null }
    const failed = await get(`/pay/${token}`)
    expect([failed.status, await failed.text()]).toEqual([
      503,
      expect.stringContaining('not available right now'),
    ])
    expect(side.logged.join('')).toContain('/pay/:token')
    expect(side.logged.join('')).not.toContain(token)
  })

  it('is limited by network', async () => {
    // At once: the page of a link that leads nowhere waits for 200 ms.
    const answers = Array.from({ length: 121 }, () => get('/pay/x', { 'x-network': 'guesser' }))
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    expect(statuses.filter((each) => each === 404)).toHaveLength(120)
    expect(statuses.filter((each) => each === 429)).toHaveLength(1)
  })
})

describe('an opened portal', () => {
  it('is recorded once an hour, and not for a read page', async () => {
    await get(`/pay/${token}`)
    await fetch(`${url}/pay/${token}`, { method: 'HEAD' })
    expect(await typesOf()).toEqual([])
    for (const _count of [1, 2]) expect((await post(`/pay/${token}/opened`, {})).status).toBe(204)
    expect(await typesOf()).toEqual(['ClientPortalOpened'])
    time.now += 3_600_000
    await post(`/pay/${token}/opened`, {})
    expect(await typesOf()).toEqual(['ClientPortalOpened', 'ClientPortalOpened'])
  })

  it('is not recorded for a page of another site', async () => {
    const from = (headers: Record<string, string>) => post(`/pay/${token}/opened`, {}, headers)
    expect((await from({ 'sec-fetch-site': 'cross-site', origin: 'null' })).status).toBe(403)
    expect((await from({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
    expect((await from({ origin: 'https://evil.example' })).status).toBe(403)
    expect(await typesOf()).toEqual([])
    expect((await from({ 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(204)
  })
})

describe('the switches', () => {
  it('stop and resume one channel of one merchant', async () => {
    const reach = (channel: string, want: string) => post(`/pay/${token}/reach`, { channel, want })
    const done = await reach('mail', 'stop')
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      `/pay/${token}?said=mail-off#said`,
    ])
    expect(await stopped()).toEqual({ mail: 'portal', text: null })
    expect(await (await get(`/pay/${token}`)).text()).toContain('You stopped the e-mails')
    await reach('mail', 'resume')
    await reach('text', 'stop')
    expect(await stopped()).toEqual({ mail: null, text: 'portal' })
    const other = parseUserId('usr_birch')
    expect(await stops.stopsOf(other, { email: null, phone: '(541) 555-0139' })).toMatchObject({
      text: null,
    })
  })

  it('do not undo STOP', async () => {
    await stops.stopPhone('+15415550139', 'text', testContext())
    const html = await (await get(`/pay/${token}`)).text()
    expect(html).toContain('Stopped by the answer STOP from this phone.')
    expect(html).not.toContain('value="text"')
    await post(`/pay/${token}/reach`, { channel: 'text', want: 'resume' })
    expect(await stopped()).toMatchObject({ text: 'text' })
    await stops.resumePhone('+15415550139', testContext())
  })

  it('refuse forms of other sites and other values', async () => {
    const forged = await post(
      `/pay/${token}/reach`,
      { channel: 'mail', want: 'stop' },
      { 'sec-fetch-site': 'cross-site' },
    )
    expect(forged.status).toBe(403)
    expect((await post(`/pay/${token}/reach`, { channel: 'fax', want: 'stop' })).status).toBe(400)
    expect((await post(`/pay/${token}/reach`, { channel: 'mail', want: 'x' })).status).toBe(400)
    expect(await stopped()).toEqual({ mail: null, text: null })
  })

  it('outlive a new spelling of the client and its next import', async () => {
    await post(`/pay/${token}/reach`, { channel: 'mail', want: 'stop' })
    await act({ type: 'erase-client' })
    const again = clientIdOf(randomUUID())
    clientId = again
    await act({
      type: 'add-client',
      clientId: again,
      details: {
        name: 'Whitaker, Grace',
        number: null,
        email: 'G.Whitaker@Postbox.example',
        phone: null,
        state: null,
        timeZone: null,
        note: null,
      },
    })
    const page = await get(`/pay/${tokens.tokenOf(again, 0)}`)
    expect(await page.text()).toContain('You stopped the e-mails')
    await post(`/pay/${tokens.tokenOf(again, 0)}/reach`, { channel: 'mail', want: 'resume' })
  })
})

describe('List-Unsubscribe', () => {
  const oneClick = { 'List-Unsubscribe': 'One-Click' }

  it('asks a person first, and a scanner that follows the link stops nothing', async () => {
    const page = await get(`/pay/${token}/unsubscribe`)
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringMatching(/Stop the e-mails of Alder.*g\.whitaker@postbox\.example/s),
    ])
    expect(await stopped()).toMatchObject({ mail: null })
  })

  it('stops with one click of a mail program: no cookie, no redirect, another site', async () => {
    const done = await post(`/pay/${token}/unsubscribe`, oneClick, {
      origin: 'https://mail.example',
      'sec-fetch-site': 'cross-site',
    })
    expect(done.status).toBe(200)
    expect(await stopped()).toMatchObject({ mail: 'one-click' })
    expect((await post(`/pay/${token}/unsubscribe`, oneClick)).status).toBe(200)
    await post(`/pay/${token}/reach`, { channel: 'mail', want: 'resume' })
    expect(await stopped()).toMatchObject({ mail: null })
  })

  it('takes the form in both encodings, and no other form', async () => {
    const multipart = new FormData()
    multipart.append('List-Unsubscribe', 'One-Click')
    const done = await fetch(`${url}/pay/${token}/unsubscribe`, { method: 'POST', body: multipart })
    expect(done.status).toBe(200)
    expect(await stopped()).toMatchObject({ mail: 'one-click' })
    await post(`/pay/${token}/reach`, { channel: 'mail', want: 'resume' })
    expect((await post(`/pay/${token}/unsubscribe`, { x: 'y' })).status).toBe(400)
    expect(await stopped()).toMatchObject({ mail: null })
  })

  it('stops the mailbox to which the mail went, also if the client has another one now', async () => {
    const before = await receivables.clientOf(merchantId, clientId)
    if (before === null) throw new Error('The client is missing.')
    const { details, version } = before.state
    await act({
      type: 'change-client',
      details: { ...details, email: 'new@postbox.example' },
      basedOn: version,
    })
    const former = await stops.idOfAddress(merchantId, {
      channel: 'mail',
      address: 'g.whitaker@postbox.example',
    })
    if (former === null) throw new Error('The address has no id.')
    await post(`/pay/${token}/unsubscribe?to=${tagOfMailbox(former)}`, oneClick)
    const of = (email: string) => stops.stopsOf(merchantId, { email, phone: null })
    expect(await of('g.whitaker@postbox.example')).toMatchObject({ mail: 'one-click' })
    expect(await of('new@postbox.example')).toMatchObject({ mail: null })
  })

  it('stops the mailbox of a mail whose link was revoked since, and says nothing about it', async () => {
    const id = await stops.idOfAddress(merchantId, {
      channel: 'mail',
      address: 'g.whitaker@postbox.example',
    })
    if (id === null) throw new Error('The address has no id.')
    await post(`/pay/${token}/reach`, { channel: 'mail', want: 'resume' })
    await act({ type: 'revoke-portal-link', generation: 0 })
    const path = `/pay/${token}/unsubscribe`
    for (const to of ['', '?to=0000000000000000']) {
      expect((await get(`${path}${to}`)).status).toBe(404)
      expect((await post(`${path}${to}`, oneClick)).status).toBe(404)
    }
    const named = `${path}?to=${tagOfMailbox(id)}`
    const page = await get(named)
    const html = await page.text()
    expect([page.status, html]).toEqual([200, expect.stringContaining('Stop the e-mails?')])
    expect(await stopped()).toMatchObject({ mail: null })
    const done = await post(named, oneClick)
    expect([done.status, `${html}${await done.text()}`]).toEqual([
      200,
      expect.not.stringMatching(/Alder|Grace|postbox/),
    ])
    expect(await stopped()).toMatchObject({ mail: 'one-click' })
    expect((await get(`/pay/${token}`)).status).toBe(404)
  })
})

it('a style sheet has the color of a brand, and text that can be read on it', async () => {
  const styles = await get('/pay-brand/3b4a9b.css')
  expect([styles.headers.get('content-type'), await styles.text()]).toEqual([
    'text/css; charset=utf-8',
    expect.stringContaining('--brand:#3B4A9B;--on-brand:#FFFFFF'),
  ])
  expect(await (await get('/pay-brand/ffee00.css')).text()).toContain('--on-brand:#06262C')
  expect((await get('/pay-brand/red.css')).status).toBe(404)
})
