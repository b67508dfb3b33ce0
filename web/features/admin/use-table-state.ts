import { useSearchParams } from 'react-router-dom'
import { adminUsersQuery, type AdminUsersQuery } from '#contracts/admin/users'

export type TablePatch = Partial<AdminUsersQuery>

const keys = Object.keys(adminUsersQuery.shape)
const defaults = adminUsersQuery.parse({})

/**
 * The table's page, sorting and filters. The URL holds them, so that a reload, a bookmark and the
 * back button show the same rows. One setter writes all values, because updates of the URL do not
 * queue. A change of sorting or filters starts at page 1. Invalid values in the URL are ignored.
 */
export function useTableState(): [AdminUsersQuery, (patch: TablePatch) => void] {
  const [params, setParams] = useSearchParams()
  const given = Object.fromEntries([...params].filter(([key]) => keys.includes(key)))
  const parsed = adminUsersQuery.safeParse(given)
  const table = parsed.success ? parsed.data : defaults

  function setTable(patch: TablePatch): void {
    const next: Record<string, unknown> = { ...table, page: 1, ...patch }
    const others = [...params].filter(([key]) => !keys.includes(key))
    const changed = keys
      .filter(
        (key) =>
          next[key] !== undefined && next[key] !== (defaults as Record<string, unknown>)[key],
      )
      .map((key): [string, string] => [key, String(next[key])])
    setParams([...others, ...changed], { preventScrollReset: true })
  }

  return [table, setTable]
}
