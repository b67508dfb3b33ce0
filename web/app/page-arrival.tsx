import { useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** The page that was shown last, also by another layout. */
let shownPathname: string | null = null

/**
 * What a browser does when it loads a page, for the pages that it does not load: stand it beside the
 * page, so that it acts when the page's code has arrived. A link shows the page's beginning, or the
 * section it names; Back and Forward keep the browser's own place. A new page has the focus at its beginning.
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
    // The key changes with every click, also on the section that the address already names.
  }, [pathname, hash, key, navigation])

  return null
}
