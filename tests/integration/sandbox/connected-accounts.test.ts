import { describe, expect, it } from '@jest/globals'
import {
  connectAccount,
  createAccount,
  onboardingUrls,
  openOnboarding,
  pressAt,
} from '../../support/product/connected-accounts.ts'
import { sandboxOfFile } from '../../support/product/sandbox-of-file.ts'

const { stripe, advance } = await sandboxOfFile()

const noAccess = { statusCode: 403, code: 'account_invalid', type: 'StripePermissionError' }

describe('a connected account', () => {
  it('is created without the ability to charge, and can be retrieved', async () => {
    const account = await createAccount(stripe, { business_profile: { name: 'Birchwood' } })
    expect(account).toMatchObject({
      object: 'account',
      type: 'standard',
      country: 'US',
      default_currency: 'usd',
      email: 'dana@birchwood.example',
      charges_enabled: false,
      payouts_enabled: false,
      details_submitted: false,
      capabilities: { card_payments: 'inactive', transfers: 'inactive' },
      metadata: { merchantId: 'merchant-1' },
      controller: { stripe_dashboard: { type: 'full' } },
    })
    expect(account.id).toMatch(/^acct_\w+$/)
    expect(account.requirements?.currently_due).toContain('external_account')
    expect(await stripe.accounts.retrieve(account.id)).toEqual(account)
    expect(await stripe.accounts.retrieveCurrent({}, { stripeAccount: account.id })).toEqual(
      account,
    )
  })

  it('with controller properties is the same account', async () => {
    const account = await stripe.accounts.create({
      country: 'DE',
      controller: {
        fees: { payer: 'account' },
        losses: { payments: 'stripe' },
        requirement_collection: 'stripe',
        stripe_dashboard: { type: 'full' },
      },
    })
    expect(account).toMatchObject({ type: 'standard', default_currency: 'eur' })
  })

  it('is created once under one idempotency key', async () => {
    const options = { idempotencyKey: 'connect merchant-9' }
    const [first, second] = [
      await stripe.accounts.create({ country: 'US' }, options),
      await stripe.accounts.create({ country: 'US' }, options),
    ]
    expect(second.id).toBe(first.id)
  })

  it.each([
    ['an account without the full Dashboard', { type: 'express' as const }, { param: 'type' }],
    ['a country without accounts', { country: 'AQ' }, { code: 'country_unsupported' }],
    [
      'a type beside controller properties',
      { type: 'standard' as const, controller: { losses: { payments: 'stripe' as const } } },
      { param: 'controller' },
    ],
  ])('refuses %s', async (_what, params, error) => {
    await expect(stripe.accounts.create(params)).rejects.toMatchObject({
      statusCode: 400,
      ...error,
    })
  })

  it('that does not exist is refused in each call', async () => {
    const stripeAccount = 'acct_1unknown'
    await expect(stripe.accounts.retrieve(stripeAccount)).rejects.toMatchObject(noAccess)
    await expect(stripe.charges.list({}, { stripeAccount })).rejects.toMatchObject(noAccess)
    await expect(
      stripe.checkout.sessions.create({ mode: 'payment' }, { stripeAccount }),
    ).rejects.toMatchObject({ statusCode: 400 })
  })

  it('sees no other account, and answers only the calls of payments', async () => {
    const [mine, other] = [await connectAccount(stripe), await connectAccount(stripe)]
    await expect(
      stripe.accounts.retrieve(other, {}, { stripeAccount: mine }),
    ).rejects.toMatchObject(noAccess)
    await expect(
      stripe.customers.create({ name: 'A client' }, { stripeAccount: mine }),
    ).rejects.toMatchObject({ statusCode: 404, type: 'StripeInvalidRequestError' })
  })
})

describe('the onboarding', () => {
  it('opens once by its link, and a second visit leads to the refresh address', async () => {
    const { id: account } = await createAccount(stripe)
    const link = await stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      ...onboardingUrls,
    })
    expect(link).toMatchObject({ object: 'account_link', expires_at: link.created + 300 })
    const visit = async () =>
      (await fetch(link.url, { redirect: 'manual' })).headers.get('location') ?? ''
    const page = await visit()
    expect(page).toMatch(/^\/connect\/onboarding\/\w+$/)
    expect(await visit()).toBe(onboardingUrls.refresh_url)
    const again = await fetch(new URL(page, link.url))
    expect([again.status, await again.text()]).toEqual([
      200,
      expect.stringContaining('Finish and accept payments'),
    ])
  })

  it('expires after minutes of the sandbox’s clock', async () => {
    const { id: account } = await createAccount(stripe)
    const { url } = await stripe.accountLinks.create({
      account,
      type: 'account_onboarding',
      ...onboardingUrls,
    })
    await advance('PT6M')
    const { headers } = await fetch(url, { redirect: 'manual' })
    expect(headers.get('location')).toBe(onboardingUrls.refresh_url)
  })

  it('lets the account charge when it is finished, and not when the merchant leaves', async () => {
    const { id } = await createAccount(stripe)
    const page = await openOnboarding(stripe, id)
    expect(await stripe.accounts.retrieve(id)).toMatchObject({ details_submitted: false })
    expect(await pressAt(page, 'finish')).toEqual({
      status: 303,
      location: onboardingUrls.return_url,
    })
    const finished = await stripe.accounts.retrieve(id)
    expect(finished).toMatchObject({
      charges_enabled: true,
      payouts_enabled: true,
      details_submitted: true,
      capabilities: { card_payments: 'active', transfers: 'active' },
      business_profile: { name: 'Birchwood Dental Group' },
      requirements: { currently_due: [], disabled_reason: null },
    })
    const [event] = (await stripe.events.list({}, { stripeAccount: id })).data
    expect(event).toMatchObject({
      type: 'account.updated',
      account: id,
      data: {
        object: { id, charges_enabled: true },
        previous_attributes: { charges_enabled: false, details_submitted: false },
      },
    })
  })

  it('asks for the name of the business', async () => {
    const { id } = await createAccount(stripe)
    const { status } = await pressAt(await openOnboarding(stripe, id), 'finish', ' ')
    expect(status).toBe(422)
    expect((await stripe.accounts.retrieve(id)).charges_enabled).toBe(false)
  })

  it('takes the charges away when Stripe needs more information', async () => {
    const id = await connectAccount(stripe)
    await pressAt(await openOnboarding(stripe, id), 'more')
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      charges_enabled: false,
      details_submitted: true,
      requirements: { disabled_reason: 'requirements.past_due' },
    })
    await pressAt(await openOnboarding(stripe, id), 'finish')
    expect((await stripe.accounts.retrieve(id)).charges_enabled).toBe(true)
  })

  it('of a merchant who removes the access leaves the platform none', async () => {
    const id = await connectAccount(stripe)
    await pressAt(await openOnboarding(stripe, id), 'deauthorize')
    await expect(stripe.accounts.retrieve(id)).rejects.toMatchObject(noAccess)
    await expect(stripe.events.list({}, { stripeAccount: id })).rejects.toMatchObject(noAccess)
    expect((await stripe.accounts.list({ limit: 100 })).data.map((each) => each.id)).not.toContain(
      id,
    )
  })
})
