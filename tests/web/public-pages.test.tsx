import { describe, expect, it } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import { brand } from '#contracts/brand/brand'
import { featureLabels } from '#contracts/brand/plan-catalogue'
import { privacyPolicy } from '#contracts/brand/privacy-policy'
import { terms } from '#contracts/brand/terms'
import { startApiServer } from './support/api-server.ts'
import { email } from './support/auth-answers.ts'
import { openPage } from './support/open-page.tsx'

const server = startApiServer()

describe('the landing page', () => {
  it('shows the product and its price', async () => {
    openPage('/')
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
      'Stop Chasing Payments. Get Paid On Time, Every Time',
    )
    expect(screen.getByRole('link', { name: 'Get Started' })).toHaveAttribute('href', '/#pricing')
    expect(screen.getByRole('button', { name: 'Login' })).toBeVisible()
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeVisible()
    expect(document.querySelector('.pricing-figure')).toHaveTextContent('$39 a month')
    expect(server.calls).toEqual([])
  })

  it('links only to its own sections', async () => {
    openPage('/')
    const sections = await screen.findByRole('navigation', { name: 'Sections' })
    const links = within(sections).getAllByRole('link')
    expect(links.length).toBeGreaterThan(0)
    for (const link of links)
      expect(document.getElementById(link.getAttribute('href')!.split('#')[1]!)).not.toBeNull()
  })

  it('redirects a customer with stored values to /purchases', async () => {
    localStorage.setItem('userEmail', email)
    server.get('/api/payments', () => new Response('{}', { status: 503 }))
    server.get('/api/auth/session', () => new Response('{}', { status: 503 }))
    const page = openPage('/')
    await waitFor(() => expect(page.path()).toBe('/purchases'))
  })
})

describe('the pricing page', () => {
  it('shows the ten included features', async () => {
    openPage('/pricing')
    const sheet = (await screen.findByRole('heading', { name: 'What is included' })).parentElement!
    expect(
      within(sheet)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(featureLabels.map(({ label }) => label))
    expect(featureLabels).toHaveLength(10)
  })
})

describe('the header', () => {
  it.each(['/pricing', '/privacy-policy', '/terms', '/no/such/page'])(
    'links from %s to the sections of the landing page',
    async (path) => {
      const page = openPage(path)
      await screen.findByRole('heading', { level: 1 })
      const links = within(screen.getByRole('navigation', { name: 'Sections' })).getAllByRole(
        'link',
      )
      expect(links.map((link) => link.getAttribute('href'))).toEqual([
        '/#features',
        '/#pricing',
        '/#why-us',
        '/#faqs',
      ])
      await page.user.click(links[3]!)
      await waitFor(() => expect(page.path()).toBe('/#faqs'))
    },
  )

  it('leads a customer to the section, too', async () => {
    localStorage.setItem('userEmail', email)
    const page = openPage('/pricing')
    await screen.findByRole('heading', { name: 'What is included' })
    const sections = within(screen.getByRole('navigation', { name: 'Sections' }))
    await page.user.click(sections.getByRole('link', { name: 'FAQs' }))
    await waitFor(() => expect(page.path()).toBe('/#faqs'))
    expect(await screen.findByText('How soon can I start?')).toBeInTheDocument()
  })
})

describe('the footer', () => {
  it('shows the year that the server states, whatever the clock of the visitor says', async () => {
    document.documentElement.dataset['year'] = '2031'
    openPage('/pricing')
    expect(await screen.findByText(/© 2031 Agile Receivables/)).toBeInTheDocument()
    delete document.documentElement.dataset['year']
  })
})

describe('the terms', () => {
  it('have a page with every clause and the accepted version, linked in the footer', async () => {
    openPage('/terms')
    await screen.findByRole('heading', { level: 1, name: 'Terms' })
    for (const { title, text } of terms.clauses) {
      expect(screen.getByRole('heading', { level: 2, name: title })).toBeInTheDocument()
      expect(screen.getByText(text)).toBeInTheDocument()
    }
    expect(screen.getByText(new RegExp(`this is version ${terms.version}`))).toBeInTheDocument()
    const footer = within(screen.getByRole('navigation', { name: 'Footer' }))
    expect(footer.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/terms')
  })
})

describe('the privacy policy', () => {
  it('has a list of contents that leads to every topic, and a link in the footer', async () => {
    openPage('/privacy-policy')
    await screen.findByRole('heading', { level: 1, name: 'Privacy Policy' })
    expect(screen.getByText('Last updated: May 16, 2025')).toBeVisible()
    const contents = within(screen.getByRole('navigation', { name: 'Contents' }))
    const links = contents.getAllByRole('link')
    expect(links).toHaveLength(privacyPolicy.topics.length)
    for (const link of links) {
      const target = document.getElementById(link.getAttribute('href')?.slice(1) ?? '')
      expect(target).toHaveTextContent(link.textContent)
    }
    expect(screen.getAllByRole('link', { name: brand.supportEmail }).length).toBeGreaterThan(2)
    const footer = within(screen.getByRole('navigation', { name: 'Footer' }))
    expect(footer.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute(
      'href',
      '/privacy-policy',
    )
  })
})

describe('other addresses', () => {
  it('redirects from the redirect page to the landing page', async () => {
    const page = openPage('/payment')
    await waitFor(() => expect(page.path()).toBe('/'))
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
      'Stop Chasing Payments',
    )
  })

  it('shows that an unknown page is not found, with a link to the landing page', async () => {
    openPage('/no/such/page')
    expect(await screen.findByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
    // The browser loads a new document, which jsdom does not.
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  })
})
