import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** The page that was shown last, also in another layout. */
let shownPathname: string | null = null

/**
 * Sets scroll position and focus after a client-side navigation, as a browser does after a page
 * load. Render it beside the lazy page, so that it runs when the page's code has loaded. A link
 * scrolls to the top or to its section; Back and Forward keep the browser's position. A new page's
 * `main` gets the focus.
 */
export function PageArrival() {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()

  useEffect(() => {
    const isFirst = shownPathname === null
    const isNewPage = !isFirst && shownPathname !== pathname
    shownPathname = pathname
    const section = hash === '' ? null : document.getElementById(hash.slice(1))
    if (section && (isFirst || navigation !== 'POP')) section.scrollIntoView()
    else if (isNewPage && navigation !== 'POP') window.scrollTo({ top: 0, behavior: 'instant' })
    if (isNewPage) document.getElementById('main')?.focus({ preventScroll: true })
    // `key` changes with every click, also on a link to the current address.
  }, [pathname, hash, key, navigation])

  return null
}
