import { useSearchParams } from 'react-router-dom'
import type { z } from 'zod'

/**
 * A filter of the page. The URL holds it, so that a reload, a link and the back button show the
 * same events. An invalid text in the URL counts as none. Null removes the filter. A change keeps
 * the selected event.
 */
export function useUrlFilter<Value>(
  key: string,
  schema: z.ZodType<Value>,
): [Value | null, (value: string | null) => void] {
  const [params, setParams] = useSearchParams()
  const given = schema.safeParse(params.get(key))
  return [
    given.success ? given.data : null,
    (value) => {
      const next = new URLSearchParams(params)
      if (value === null) next.delete(key)
      else next.set(key, value)
      setParams(next, { preventScrollReset: true })
    },
  ]
}
