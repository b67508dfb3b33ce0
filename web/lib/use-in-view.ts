import { useEffect, useState } from 'react'

/** Whether a part of the element with this id is in the window. Null until the browser reports. */
export function useInView(id: string): boolean | null {
  const [isInView, setInView] = useState<boolean | null>(null)
  useEffect(() => {
    const element = document.getElementById(id)
    if (!element) return undefined
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1)
      if (last) setInView(last.isIntersecting)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [id])
  return isInView
}
