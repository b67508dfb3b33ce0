import { useEffect, useState } from 'react'

/** The id of the section that crosses the upper third of the window, or null between two. */
export function useActiveSection(ids: readonly string[]): string | null {
  const [active, setActive] = useState<string | null>(null)
  const key = ids.join(' ')

  useEffect(() => {
    const sections = key.split(' ').flatMap((id) => document.getElementById(id) ?? [])
    if (sections.length === 0 || typeof IntersectionObserver === 'undefined') return
    const crossing = new Set<string>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) crossing.add(target.id)
          else crossing.delete(target.id)
        }
        setActive(sections.find((section) => crossing.has(section.id))?.id ?? null)
      },
      { rootMargin: '-33% 0px -66% 0px' },
    )
    for (const section of sections) observer.observe(section)
    return () => observer.disconnect()
  }, [key])

  return active
}
