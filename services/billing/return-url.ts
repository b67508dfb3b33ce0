/**
 * Characters that a URL parser removes or changes: white space, control characters and backslashes.
 */
const misleading = /[\s\p{Cc}\\]/u

/**
 * The address to which the provider's page returns the browser: `given` as an absolute URL, if
 * `given` is a path or an absolute URL of `publicUrl`'s origin. Null otherwise, so that the browser
 * is never sent to another site.
 */
export function returnUrlOf(given: string, publicUrl: string): string | null {
  if (misleading.test(given)) return null
  const isPath = given.startsWith('/') && !given.startsWith('//')
  const isAbsolute = /^https?:\/\//i.test(given)
  if (!isPath && !isAbsolute) return null
  const site = new URL(publicUrl)
  if (!URL.canParse(given, site)) return null
  const url = new URL(given, site)
  const isOnSite = url.origin === site.origin && url.username === '' && url.password === ''
  return isOnSite ? url.href : null
}
