/**
 * Characters that a URL parser removes or changes: white space, control characters and backslashes.
 */
const misleading = /[\s\p{Cc}\\]/u

/**
 * Returns the absolute URL of `given` if it is a path or belongs to `publicUrl`'s origin. Otherwise
 * null. The provider's page returns the browser to this URL, so it must not lead to another site.
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
