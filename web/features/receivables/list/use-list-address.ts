import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { z } from 'zod'
import { changedParams, readListQuery, type ListPatch } from '../../../lib/list-query.ts'

/**
 * The query of a list. The address holds it, so that a reload and the back button show the same
 * rows. A change of filters or sorting starts at page 1.
 */
export function useListAddress<Query extends { readonly page: number; readonly pageSize: number }>(
  schema: z.ZodObject & z.ZodType<Query>,
): [Query, (patch: ListPatch) => void] {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (patch: ListPatch) => {
      setParams(
        (before) => changedParams(schema, { ...readListQuery(schema, before), page: 1, ...patch }),
        { preventScrollReset: true },
      )
    },
    [schema, setParams],
  )
  return [readListQuery(schema, params), change]
}
