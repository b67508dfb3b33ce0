import { expect, it, jest } from '@jest/globals'

/*
 * The pages of an owner whose plan has a price with cents.
 */

it('the public pages write a price with cents with two decimals', async () => {
  const plans = await import('#contracts/plans')
  jest.unstable_mockModule('#contracts/plans', () => ({
    ...plans,
    publicPlan: { ...plans.publicPlan, amount: 3950 },
  }))
  const { siteContent } = await import('#contracts/brand/site-content')
  expect(siteContent.hero.price).toBe('$39.50 a month')
  const { renderPage } = await import('../../web/prerender/render-page.tsx')
  const { body } = await renderPage('/pricing')
  expect(body).toContain('<sup>$</sup>39.50<small>')
})
