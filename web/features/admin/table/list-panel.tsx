import { useEffect, useRef } from 'react'
import { lastReachableRow, type ListPage } from '#contracts/paging'
import { useGetSessionQuery } from '../../../api/session-api.ts'
import { FetchFailure } from '../fetch-failure.tsx'
import { PageDialogs } from '../page-dialogs.tsx'
import type { TabQuery, ListTab } from './list-tab.ts'
import { ListTable } from './list-table.tsx'
import { ListToolbar } from './list-toolbar.tsx'
import { useListAddress } from './use-console-address.ts'
import './list.css'
import './row-actions.css'

/** The content of a tab: filters, and the rows or the reason why they could not be loaded. */
export function ListPanel<Item extends object, Query extends TabQuery>({
  tab,
}: {
  tab: ListTab<Item, Query>
}) {
  const [query, setQuery] = useListAddress(tab.query)
  const list = tab.useList(query)
  const session = useGetSessionQuery()
  const loaded = list.currentData
  const panel = useFocusKeeper(loaded)

  // A link to a page that the list no longer has opens the last page.
  const lastPage = loaded && lastPageOf(loaded)
  useEffect(() => {
    if (lastPage !== undefined && query.page > lastPage)
      setQuery({ page: lastPage }, { replace: true })
  }, [lastPage, query.page, setQuery])

  return (
    <section
      ref={panel}
      className="panel list-panel"
      aria-label={`${tab.title} list`}
      tabIndex={-1}
    >
      <PageDialogs>
        <ListToolbar tab={tab} query={query} total={loaded?.total} onChange={setQuery} />
        {list.isError ? (
          <FetchFailure
            what={tab.what}
            error={list.error}
            retrying={list.isFetching}
            onRetry={() => void list.refetch()}
          />
        ) : (
          // While the next page loads, the previous page stays visible, so that the layout does not
          // shift.
          <ListTable
            tab={tab}
            query={query}
            page={loaded ?? list.data}
            waiting={loaded === undefined}
            now={session.data?.now}
            onChange={setQuery}
          />
        )}
      </PageDialogs>
    </section>
  )
}

const lastPageOf = ({ total, pageSize }: ListPage<unknown>) =>
  Math.max(1, Math.ceil(Math.min(total, lastReachableRow) / pageSize))

/**
 * Focuses the panel if new rows removed the focused element, for example the row of a user who was
 * blocked from the list of active users. Otherwise the focus falls to the start of the page.
 */
function useFocusKeeper(rows: unknown) {
  const panel = useRef<HTMLElement>(null)
  const focused = useRef<Element | null>(null)

  useEffect(() => {
    const note = () => {
      focused.current = panel.current?.contains(document.activeElement)
        ? document.activeElement
        : null
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])

  useEffect(() => {
    if (focused.current === null || focused.current.isConnected) return
    if (document.activeElement === document.body) panel.current?.focus()
  }, [rows])

  return panel
}
