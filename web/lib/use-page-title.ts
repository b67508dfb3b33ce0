import { useEffect } from 'react'
import { brand } from '#contracts/brand/brand'

/** Sets the tab's title: the page, then the brand. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${brand.name}`
  }, [title])
}
