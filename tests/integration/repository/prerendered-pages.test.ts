import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { brand } from '#contracts/brand/brand'
import { siteContent } from '#contracts/brand/site-content'
import { escapeMarkup } from '#contracts/escape-markup'
import { fileOfPage, publicPaths, publicUrlPlaceholder, shellFile } from '#contracts/pages'

const webRoot = join(import.meta.dirname, '../../../dist/web')
const read = (file: string) => readFileSync(join(webRoot, file), 'utf8')
const htmlOf = (path: (typeof publicPaths)[number]) => read(fileOfPage(path))

/** The objects of a page's JSON-LD by type. */
function structuredData(html: string) {
  const texts = [...html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)]
  const typed = z.looseObject({ '@context': z.literal('https://schema.org'), '@type': z.string() })
  const objects = texts.map(([, json = '']) => typed.parse(JSON.parse(json)))
  return new Map(objects.map((object) => [object['@type'], object]))
}

describe.each(publicPaths)('the prerendered page %s', (path) => {
  const html = htmlOf(path)
  const { title, description } = siteContent.pages[path]
  const address = publicUrlPlaceholder + path

  it.each([
    ['title', `<title>${escapeMarkup(title)} | ${brand.name}</title>`],
    ['description', `<meta name="description" content="${escapeMarkup(description)}" />`],
    ['canonical address', `<link rel="canonical" href="${address}" />`],
    ['address for shared links', `<meta property="og:url" content="${address}" />`],
    [
      'picture for shared links',
      `<meta property="og:image" content="${publicUrlPlaceholder}/social-card.png" />`,
    ],
    ['card of Twitter', '<meta name="twitter:card" content="summary_large_image" />'],
  ])('has one %s', (_name, tag) => {
    expect(html.split(tag)).toHaveLength(2)
  })

  it('has one heading of the first level, header and footer', () => {
    for (const tag of ['<h1', '<header', '<footer', '<main id="main"'])
      expect([tag, html.split(tag).length]).toEqual([tag, 2])
  })

  it('says what needs JavaScript', () => {
    expect(html).toMatch(/<noscript>.*you can read this page\. To log in.*<\/noscript>/)
  })

  it('may be listed by search engines', () => {
    expect(html).not.toContain('noindex')
  })

  it('contains its styles, so that the first paint waits for no style sheet', () => {
    const styles = [...html.matchAll(/<style data-file="\/([^"]+)">(.*?)<\/style>/gs)]
    expect(styles.length).toBeGreaterThan(1)
    for (const [, file = '', text] of styles) expect(text).toBe(read(file).trim())
    const links = html.match(/<link rel="stylesheet"[^>]*>/g) ?? []
    for (const link of links) expect(link).toContain(' media="not all" ')
  })

  it('loads every file that it names from this build', () => {
    const files = [...html.matchAll(/(?:href|src)="\/(assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    )
    expect(files.length).toBeGreaterThan(3)
    for (const file of files) expect(read(file).length).toBeGreaterThan(0)
  })
})

describe('the structured data', () => {
  it('of the landing page states the plan, its price and the rating', () => {
    expect(structuredData(htmlOf('/')).get('Product')).toMatchObject({
      name: brand.name,
      offers: { price: '39.00', priceCurrency: 'USD' },
      aggregateRating: { ratingValue: 4.9, bestRating: 5, reviewCount: 89 },
    })
  })

  it('of the landing page has the questions and answers that the page shows', () => {
    const faqs = structuredData(htmlOf('/')).get('FAQPage')
    expect(faqs?.['mainEntity']).toEqual(
      siteContent.faqs.map(({ question, answer }) => ({
        '@type': 'Question',
        name: question,
        acceptedAnswer: { '@type': 'Answer', text: answer },
      })),
    )
    const body = htmlOf('/').split('</head>')[1] ?? ''
    for (const { question, answer } of siteContent.faqs) {
      expect(body).toContain(question)
      expect(body).toContain(answer)
    }
  })

  it('of the pricing page states the price without a rating, which the page does not show', () => {
    const product = structuredData(htmlOf('/pricing')).get('Product')
    expect(product).toMatchObject({ offers: { price: '39.00', priceCurrency: 'USD' } })
    expect(product).not.toHaveProperty('aggregateRating')
  })
})

describe('the shell of the other pages', () => {
  const html = read(shellFile)

  it('is empty, and search engines must not list it', () => {
    expect(html).toContain('<div id="root"></div>')
    expect(html).toContain('<meta name="robots" content="noindex" />')
    expect(html).not.toMatch(/canonical|og:|ld\+json|localStorage\.getItem\('userEmail'\)/)
  })

  it('says that it needs JavaScript', () => {
    expect(html).toMatch(/<noscript>.*needs JavaScript.*<\/noscript>/)
  })
})

it('only the landing page redirects customers with stored values', () => {
  const redirecting = publicPaths.filter((path) =>
    htmlOf(path).includes("location.replace('/purch"),
  )
  expect(redirecting).toEqual(['/'])
})
