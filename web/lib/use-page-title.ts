import { useEffect } from 'react'
import { brand } from '#contracts/brand'

/** The title of the tab: what the page is, then whose. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} | ${brand.name}`
  }, [title])
}
