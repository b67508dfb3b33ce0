import { brand } from '#contracts/brand/brand'
import { siteContent } from '#contracts/brand/site-content'
import { escapeMarkup } from '#contracts/escape-markup'
import { publicUrlPlaceholder, type PublicPath } from '#contracts/pages'
import { socialCard, structuredDataOf } from './structured-data.ts'

/**
 * Runs before the first paint of the landing page. A customer who signed in before goes to
 * /purchases and does not see the page. After a 401 the app deletes the stored value, so the
 * redirect cannot repeat. The security policy allows the script by its hash.
 */
const redirectKnownCustomer = `<script>
      try {
        if (localStorage.getItem('userEmail') !== null) {
          document.documentElement.hidden = true
          location.replace('/purchases')
        }
      } catch {
        // The browser refuses storage, so no customer is known.
      }
    </script>`

/**
 * What the head of a public page has, apart from scripts and styles. `publicUrlPlaceholder` stands
 * for PUBLIC_URL, which the build does not know.
 */
export function headOf(path: PublicPath): string {
  const page = siteContent.pages[path]
  const title = `${page.title} | ${brand.name}`
  const address = `${publicUrlPlaceholder}${path}`
  const image = `${publicUrlPlaceholder}${socialCard.path}`
  return [
    ...(path === '/' ? [redirectKnownCustomer] : []),
    `<title>${escapeMarkup(title)}</title>`,
    named('description', page.description),
    `<link rel="canonical" href="${address}" />`,
    property('og:type', 'website'),
    property('og:site_name', brand.name),
    property('og:title', title),
    property('og:description', page.description),
    property('og:url', address),
    property('og:image', image),
    property('og:image:width', String(socialCard.width)),
    property('og:image:height', String(socialCard.height)),
    property('og:image:alt', title),
    property('og:locale', 'en_US'),
    named('twitter:card', 'summary_large_image'),
    structuredDataOf(path),
  ].join('\n    ')
}

/** The head of the pages that are not prerendered. Search engines must not list them. */
export function headOfShell(): string {
  return [`<title>${escapeMarkup(brand.name)}</title>`, named('robots', 'noindex')].join('\n    ')
}

const named = (name: string, content: string) =>
  `<meta name="${name}" content="${escapeMarkup(content)}" />`

const property = (name: string, content: string) =>
  `<meta property="${name}" content="${escapeMarkup(content)}" />`
