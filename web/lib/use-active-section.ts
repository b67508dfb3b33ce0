import { useEffect, useState } from 'react'

/** The id of the section at the upper third of the window; null between two sections. */
export function useActiveSection(ids: readonly string[]): string | null {
  const [active, setActive] = useState<string | null>(null)
  const key = ids.join(' ')

  useEffect(() => {
    setActive(null)
    if (key === '') return undefined
    const wanted = key.split(' ')
    const crossing = new Set<string>()
    const scrolling = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) crossing.add(target.id)
          else crossing.delete(target.id)
        }
        setActive(wanted.find((id) => crossing.has(id)) ?? null)
      },
      { rootMargin: '-33% 0px -66% 0px' },
    )

    // The sections may appear later, when the page's code has loaded.
    const arrival = new MutationObserver(watchSections)
    arrival.observe(document.body, { childList: true, subtree: true })
    watchSections()

    function watchSections() {
      const sections = wanted.flatMap((id) => document.getElementById(id) ?? [])
      if (sections.length < wanted.length) return
      arrival.disconnect()
      for (const section of sections) scrolling.observe(section)
    }

    return () => {
      arrival.disconnect()
      scrolling.disconnect()
    }
  }, [key])

  return active
}
