import { useListUsersQuery } from '../../api/admin-api.ts'
import { FetchFailure } from './fetch-failure.tsx'
import { useTableState } from './use-table-state.ts'
import { UsersTable } from './users-table.tsx'
import { UsersToolbar } from './users-toolbar.tsx'
import './users.css'

export function UsersTab() {
  const [table, setTable] = useTableState()
  const users = useListUsersQuery(table)
  return (
    <section className="panel users" aria-label="Users">
      <UsersToolbar table={table} onChange={setTable} />
      {users.isError ? (
        <FetchFailure
          what="users"
          error={users.error}
          retrying={users.isFetching}
          onRetry={() => void users.refetch()}
        />
      ) : (
        // While the next page loads, the previous page stays visible, so that the layout does not
        // shift.
        <UsersTable
          table={table}
          page={users.currentData ?? users.data}
          waiting={users.currentData === undefined}
          onChange={setTable}
        />
      )}
    </section>
  )
}
