import { escapeMarkup } from '#contracts/escape-markup'
import { publicPaths } from '#contracts/pages'

/**
 * Search engines may read every page: a page that they must not list says so itself, and they see
 * that only if they may read the page. The API has no pages for them.
 */
export function robotsText(publicUrl: string): string {
  return ['User-agent: *', 'Disallow: /api/', '', `Sitemap: ${publicUrl}/sitemap.xml`, ''].join(
    '\n',
  )
}

/** The addresses of the public pages. */
export function sitemap(publicUrl: string): string {
  const urls = publicPaths.map(
    (path) => `  <url><loc>${escapeMarkup(publicUrl + path)}</loc></url>`,
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n')
}
