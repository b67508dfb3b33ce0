import { brand } from '#contracts/brand/brand'
import { siteContent } from '#contracts/brand/site-content'
import { toMajorUnits } from '#contracts/currency'
import { publicUrlPlaceholder, type PublicPath } from '#contracts/pages'
import { publicPlan } from '#contracts/plans'

/** The file in web/public that a shared link shows. */
export const socialCard = { path: '/social-card.png', width: 1200, height: 630 } as const

const { claims, faqs, pages } = siteContent
const { amount, currency, interval, intervalCount, name: planName } = publicPlan
const price = toMajorUnits(amount, currency).toFixed(2)
const unitCodes = { month: 'MON', year: 'ANN' } as const

const offer = {
  '@type': 'Offer',
  name: planName,
  url: `${publicUrlPlaceholder}/pricing`,
  price,
  priceCurrency: currency.toUpperCase(),
  availability: 'https://schema.org/InStock',
  priceSpecification: {
    '@type': 'UnitPriceSpecification',
    price,
    priceCurrency: currency.toUpperCase(),
    referenceQuantity: {
      '@type': 'QuantitativeValue',
      value: intervalCount,
      unitCode: unitCodes[interval],
    },
  },
}

const product = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: brand.name,
  description: pages['/'].description,
  image: `${publicUrlPlaceholder}${socialCard.path}`,
  url: `${publicUrlPlaceholder}/`,
  brand: { '@type': 'Brand', name: brand.name },
  offers: offer,
}

/** Only the landing page shows the rating, and a page must show what its data claims. */
const ratedProduct = {
  ...product,
  aggregateRating: {
    '@type': 'AggregateRating',
    ratingValue: claims.rating,
    bestRating: claims.bestRating,
    reviewCount: claims.reviews,
  },
}

const faqPage = {
  '@context': 'https://schema.org',
  '@type': 'FAQPage',
  mainEntity: faqs.map(({ question, answer }) => ({
    '@type': 'Question',
    name: question,
    acceptedAnswer: { '@type': 'Answer', text: answer },
  })),
}

/** The schema.org objects of each page, which search engines read. */
const objectsOf: Readonly<Record<PublicPath, readonly object[]>> = {
  '/': [ratedProduct, faqPage],
  '/pricing': [product],
  '/privacy-policy': [],
  '/terms': [],
}

/** The JSON-LD of a page: one script element per object. */
export function structuredDataOf(path: PublicPath): string {
  return objectsOf[path]
    .map((object) => {
      // A text with </script> would end the element.
      const json = JSON.stringify(object).replaceAll('<', '\\u003c')
      return `<script type="application/ld+json">${json}</script>`
    })
    .join('\n    ')
}
