import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { z } from 'zod'
import { parseUserId } from '#contracts/ids'
import type { OpenAccount } from '#services/accounts/accounts'
import { portalRedirectRoutes } from '#services/billing/portal-redirect-routes'
import { subscriptionIdOf } from '#services/billing/product-ids'
import { HttpError } from '#services/http/http-error'
import type { Routes } from '#services/http/routes'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { profile } from '../../support/data/events.ts'
import { serveArea, type AreaServer } from '../../support/product/area-server.ts'
import { createClient } from '../../support/product/client.ts'

const openAccount: OpenAccount = {
  userId: parseUserId('usr_dana'),
  email: 'dana@example.com',
  secondaryEmail: null,
  isVerified: true,
  verifiedEmails: new Set(['dana@example.com']),
  isBlocked: false,
  profile: null,
  termsVersion: null,
}
const dana = parseUserId('usr_dana')
const portalPage = 'https://provider.example/portal'

const signIn: Routes = (route) =>
  route({
    method: 'post',
    path: '/api/sign-in',
    summary: 'Signs in without a code.',
    access: 'public',
    body: z.object({ who: z.string() }),
    answer: z.object({}),
    async handle({ body: { who } }, { customer, admin }) {
      await (who.startsWith('adm_') ? admin : customer).signIn(who)
      return {}
    },
  })

let server: AreaServer
/** What the route reads of the owner's account. */
const withProfile = { ...openAccount, profile, termsVersion: '1' }
let accountOf = (): OpenAccount => withProfile
/** The links that were requested from billing, which loads the billing stream. */
const opened: unknown[] = []
let open = async () => ({ url: portalPage, since: 7 })
/** The events that the route recorded, with their actors. */
const recorded: unknown[] = []
/** Their command ids. */
const commandIds: string[] = []
beforeAll(async () => {
  const portal = portalRedirectRoutes({
    accounts: { find: async () => accountOf() },
    billing: {
      async openPortal(userId, link) {
        opened.push({ userId, ...link })
        return open()
      },
    },
    purchases: {
      ready: async () => undefined,
      ownerOfSubscription: async (id) =>
        id === 'subscription_1' || id === refOf('sub_1') ? dana : null,
    },
    provider: { name: 'stripe' },
    commands: {
      async record({ stream, event, context }) {
        recorded.push({ stream, event, actor: context.actor })
        commandIds.push(context.commandId)
        return { position: null }
      },
    },
    clock: { now: () => new Date('2026-03-20T12:00:00.000Z') },
    publicUrl: 'https://billing.example',
  })
  const area: Routes = (route) => [signIn, portal].forEach((each) => each(route))
  server = await serveArea(area, pino({ level: 'silent' }))
}, 60_000)
afterAll(() => server?.close())
beforeEach(() => {
  opened.length = 0
  recorded.length = 0
  commandIds.length = 0
})

async function follow(who: string | null, path: string) {
  const client = createClient({ url: server.url, sandboxUrl: server.url })
  if (who !== null) await client.post('/api/sign-in', { who })
  const { status, headers } = await client.get(path)
  return { status, location: headers.get('location') }
}
const purchases = { status: 303, location: 'https://billing.example/purchases' }

describe('the link to the portal', () => {
  it('leads the owner of the subscription to the portal', async () => {
    expect(await follow(dana, '/api/portal/subscription_1?action=cancel')).toEqual({
      status: 303,
      location: portalPage,
    })
    expect(opened).toEqual([
      {
        userId: dana,
        subscriptionId: 'subscription_1',
        action: 'cancel',
        returnUrl: 'https://billing.example/purchases?portal=return',
      },
    ])
  })

  it.each([
    ['another customer', 'usr_eve', '/api/portal/subscription_1'],
    ['the owner of another subscription', dana, '/api/portal/subscription_2'],
  ])('leads %s to the purchases, and loads no billing stream', async (_who, who, path) => {
    expect(await follow(who, path)).toEqual(purchases)
    expect(opened).toEqual([])
  })

  it.each([
    ['payment_method', '/update-card'],
    ['pay', '/pay'],
    ['manage', '/manage-plan'],
    ['cancel', '/manage-plan'],
    ['update', '/manage-plan'],
  ])('leads a visitor to the page that signs in and continues: %s', async (action, page) => {
    for (const id of ['subscription_1', 'unknown', '%2F%2Fevil.example'])
      expect(await follow(null, `/api/portal/${id}?action=${action}`)).toEqual({
        status: 303,
        location: `https://billing.example${page}`,
      })
    expect(opened).toEqual([])
  })

  it('leads an owner without a profile to the profile before a change of the plan', async () => {
    accountOf = () => openAccount
    try {
      expect(await follow(dana, '/api/portal/subscription_1?action=update')).toEqual({
        status: 303,
        location: 'https://billing.example/profile',
      })
      expect(opened).toEqual([])
      const cancel = await follow(dana, '/api/portal/subscription_1?action=cancel')
      expect(cancel.location).toBe(portalPage)
    } finally {
      accountOf = () => withProfile
    }
  })

  it('opens no portal for HEAD, and records no visit', async () => {
    const client = createClient({ url: server.url, sandboxUrl: server.url })
    await client.post('/api/sign-in', { who: 'adm_1' })
    const { status, headers } = await client.send('HEAD', '/api/portal/subscription_1')
    expect({ status, location: headers.get('location') }).toEqual({ status: 303, location: null })
    expect({ opened, recorded }).toEqual({ opened: [], recorded: [] })
  })

  it('leads an administrator to the portal of the customer, and records the visit first', async () => {
    expect(await follow('adm_1', '/api/portal/subscription_1?action=cancel')).toEqual({
      status: 303,
      location: portalPage,
    })
    expect(opened).toEqual([
      {
        userId: dana,
        subscriptionId: 'subscription_1',
        action: 'cancel',
        returnUrl: 'https://billing.example/admin/dashboard?tab=active-plans',
      },
    ])
    expect(recorded).toEqual([
      {
        stream: 'adminAccess-2026-03',
        event: {
          type: 'PortalVisited',
          data: {
            adminId: 'adm_1',
            userId: dana,
            subscriptionId: 'subscription_1',
            action: 'cancel',
          },
          occurredAt: '2026-03-20T12:00:00.000Z',
        },
        actor: { kind: 'admin', id: 'adm_1' },
      },
    ])
  })

  it('records the id of the product if the link has the id of the provider', async () => {
    await follow('adm_1', '/api/portal/sub_1?action=cancel')
    expect(opened).toMatchObject([{ subscriptionId: refOf('sub_1') }])
    const subscriptionId = subscriptionIdOf(refOf('sub_1'))
    expect(recorded).toMatchObject([{ event: { data: { subscriptionId } } }])
  })

  it('records two visits of an administrator who repeats an Idempotency-Key', async () => {
    const client = createClient({ url: server.url, sandboxUrl: server.url })
    await client.post('/api/sign-in', { who: 'adm_1' })
    const key = { 'idempotency-key': 'one-key' }
    for (let n = 0; n < 2; n += 1)
      await client.send('GET', '/api/portal/subscription_1', undefined, key)
    expect(new Set(commandIds).size).toBe(2)
  })

  it('records a visit once if the portal opens at the second try', async () => {
    open = () => Promise.reject(new HttpError(502, 'The provider does not answer.'))
    expect((await follow('adm_1', '/api/portal/subscription_1')).status).toBe(502)
    open = async () => ({ url: portalPage, since: 7 })
    expect((await follow('adm_1', '/api/portal/subscription_1')).status).toBe(303)
    expect((await follow('adm_1', '/api/portal/subscription_1')).status).toBe(303)
    expect(commandIds).toHaveLength(3)
    expect(new Set(commandIds).size).toBe(2)
    expect(commandIds[0]).toBe(commandIds[1])
  })

  it('leads an administrator back to the list if the subscription is unknown', async () => {
    expect(await follow('adm_1', '/api/portal/subscription_2')).toEqual({
      status: 303,
      location: 'https://billing.example/admin/dashboard?tab=active-plans',
    })
    expect(recorded).toEqual([])
  })
})
