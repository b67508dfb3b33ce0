import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { publicPathOf } from '#contracts/pages'

/**
 * Keeps description, canonical address and robots of the head right after a navigation inside the
 * app. The title follows from `usePageTitle` of each page.
 */
export function DocumentHead() {
  const { pathname } = useLocation()

  useEffect(() => {
    const path = publicPathOf(pathname)
    setInHead('meta[name=robots]', path === null ? { name: 'robots', content: 'noindex' } : null)
    setInHead(
      'meta[name=description]',
      path && { name: 'description', content: siteContent.pages[path].description },
    )
    setInHead('link[rel=canonical]', path && { rel: 'canonical', href: publicUrl() + path })
  }, [pathname])

  return null
}

/** Changes or adds the element at the selector. Null removes it. */
function setInHead(
  selector: `${'meta' | 'link'}[${string}]`,
  attributes: Readonly<Record<string, string>> | null,
): void {
  const found = document.head.querySelector(selector)
  if (attributes === null) return found?.remove()
  const kind = selector.slice(0, selector.indexOf('['))
  const element = found ?? document.head.appendChild(document.createElement(kind))
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
}

let knownPublicUrl: string | undefined

/** PUBLIC_URL as the first page states it. If that page states none: the origin of the page. */
function publicUrl(): string {
  const stated = document.head.querySelector<HTMLLinkElement>('link[rel=canonical]')?.href
  knownPublicUrl ??= new URL(stated ?? window.location.href).origin
  return knownPublicUrl
}
