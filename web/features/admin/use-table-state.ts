import { useSearchParams } from 'react-router-dom'
import { adminUsersQuery, type AdminUsersQuery } from '#contracts/admin'

export type TablePatch = Partial<AdminUsersQuery>

const keys = Object.keys(adminUsersQuery.shape)
const defaults = adminUsersQuery.parse({})

/**
 * The table's page, order and filters, kept in the address so that a reload, a bookmark and the back
 * button show the same rows. One setter writes all of them, because updates of the address do not
 * queue. Anything but a turn of the page starts again at page 1; what the address holds wrongly
 * counts as not being there.
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
