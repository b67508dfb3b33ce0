import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** The page that was shown last, also in another layout. */
let shownPathname: string | null = null

/**
 * Whether the document had its content before any script ran. The browser then sets the first
 * position itself: that of the address, or that of before a reload.
 */
const isPrerendered =
  typeof document !== 'undefined' && document.getElementById('root')?.hasChildNodes() === true

/**
 * Sets scroll position and focus after a client-side navigation, as a browser does after a page
 * load. Render it beside the lazy page, so that it runs when the page's code has loaded. A link
 * scrolls to the top or to its section; Back and Forward keep the browser's position. The section
 * gets the focus, or the `main` of a new page.
 */
export function PageArrival() {
  const { pathname, hash, key } = useLocation()
  const navigation = useNavigationType()

  useEffect(() => {
    const isFirst = shownPathname === null
    const isNewPage = !isFirst && shownPathname !== pathname
    shownPathname = pathname
    const section = hash === '' ? null : document.getElementById(hash.slice(1))
    const isLink = navigation !== 'POP'
    if (section && (isFirst ? !isPrerendered : isLink)) section.scrollIntoView()
    else if (isNewPage && isLink) window.scrollTo({ top: 0, behavior: 'instant' })
    if (section && !isFirst && isLink) section.focus({ preventScroll: true })
    else if (isNewPage) document.getElementById('main')?.focus({ preventScroll: true })
    // `key` changes with every click, also on a link to the current address.
  }, [pathname, hash, key, navigation])

  return null
}
