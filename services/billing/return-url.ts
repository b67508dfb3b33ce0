/** What a URL parser strips or reads as something else: white space, control characters and backslashes. */
const misleading = /[\s\p{Cc}\\]/u

/**
 * Where the browser goes after the provider's page: `given` as an absolute URL, if it is a path or an absolute URL of
 * `publicUrl`'s origin. Null otherwise: the browser never goes to another site.
 */
export function returnUrlOf(given: string, publicUrl: string): string | null {
  if (misleading.test(given)) return null
  const isPath = given.startsWith('/') && !given.startsWith('//')
  const isAbsolute = /^https?:\/\//i.test(given)
  if (!isPath && !isAbsolute) return null
  const ours = new URL(publicUrl)
  if (!URL.canParse(given, ours)) return null
  const url = new URL(given, ours)
  const isOurs = url.origin === ours.origin && url.username === '' && url.password === ''
  return isOurs ? url.href : null
}
